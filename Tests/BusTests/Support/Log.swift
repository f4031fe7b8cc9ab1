import Bus

/// What a test's closures did, in order.
final class Log<Entry: Sendable>: Sendable {
    private let state = Lock<[Entry]>([])

    var entries: [Entry] { state.withLock { $0 } }

    func append(_ entry: Entry) { state.withLock { $0.append(entry) } }
}
