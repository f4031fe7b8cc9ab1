/// Shows whether a closure has been freed.
final class Canary: Sendable {
    func sing() {}
}
