import Bus

/// How far a source is ahead of its subscriber: values requested, minus values heard.
final class Lead: Sendable {
    private let state = Lock((asked: 0, heard: 0, most: 0))

    var asked: Int { state.withLock { $0.asked } }

    /// The largest number that was in flight at any moment.
    var most: Int { state.withLock { $0.most } }

    func ask() {
        state.withLock { state in
            state.asked += 1
            state.most = max(state.most, state.asked - state.heard)
        }
    }

    func hear(_ count: Int = 1) { state.withLock { $0.heard += count } }
}

/// Numbers from 0 on. Each is counted when it is requested.
struct CountedNumbers: Sequence, Sendable {
    let count: Int
    let lead: Lead
    /// Freed with the last iteration.
    var canary: Canary?

    struct Iterator: IteratorProtocol {
        let numbers: CountedNumbers
        var sent = 0

        mutating func next() -> Int? {
            guard sent < numbers.count else { return nil }
            numbers.canary?.sing()
            numbers.lead.ask()
            defer { sent += 1 }
            return sent
        }
    }

    func makeIterator() -> Iterator { Iterator(numbers: self) }
}

/// The same for a task.
struct CountedAsyncNumbers: AsyncSequence, Sendable {
    let numbers: CountedNumbers

    struct Iterator: AsyncIteratorProtocol {
        var numbers: CountedNumbers.Iterator

        mutating func next(isolation actor: isolated (any Actor)?) async -> Int? { numbers.next() }

        mutating func next() async -> Int? { numbers.next() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(numbers: numbers.makeIterator()) }
}
