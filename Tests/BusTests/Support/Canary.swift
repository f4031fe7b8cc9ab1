/// Held by the object that a test expects to be freed.
final class Canary: Sendable {
    func sing() {}
}

/// Calls `body` with a canary. Returns whether somebody still holds the canary after that.
func isKept(_ body: (Canary) -> Void) -> Bool {
    weak var watched: Canary?
    do {
        let canary = Canary()
        watched = canary
        body(canary)
    }
    return watched != nil
}
