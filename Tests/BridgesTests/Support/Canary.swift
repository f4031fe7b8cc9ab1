/// To see whether a closure is gone.
final class Canary: Sendable {
    func sing() {}
}
