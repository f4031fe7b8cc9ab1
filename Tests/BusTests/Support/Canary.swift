/// Held by what a test wants to see freed.
final class Canary: Sendable {
    func sing() {}
}

/// Calls `body` with a canary, and answers whether somebody still holds the canary when it has returned.
func isKept(_ body: (Canary) -> Void) -> Bool {
    weak var watched: Canary?
    do {
        let canary = Canary()
        watched = canary
        body(canary)
    }
    return watched != nil
}
