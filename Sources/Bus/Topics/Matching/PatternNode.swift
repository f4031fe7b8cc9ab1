/// The patterns of a bus as a tree of tokens: a node for each beginning of a pattern.
///
/// A value, guarded by the lock of the bus.
struct PatternNode: Sendable {
    /// By the next token, ``TopicToken/any`` among them.
    private var children: [TopicToken: PatternNode] = [:]
    /// The subscribers whose pattern ends here.
    private var here: [PatternSubscriber] = []
    /// The subscribers whose pattern goes on with ``TopicToken/rest`` and then ends.
    private var rest: [PatternSubscriber] = []

    private var isEmpty: Bool { children.isEmpty && here.isEmpty && rest.isEmpty }

    mutating func insert(_ subscriber: PatternSubscriber) {
        insert(subscriber, subscriber.pattern.tokens[...])
    }

    private mutating func insert(_ subscriber: PatternSubscriber, _ tokens: ArraySlice<TopicToken>) {
        guard let first = tokens.first else { return here.append(subscriber) }
        if first == .rest { return rest.append(subscriber) }
        children[first, default: PatternNode()].insert(subscriber, tokens.dropFirst())
    }

    /// Removes a subscriber and returns it. Also removes nodes that no other subscriber needs.
    mutating func remove(_ number: UInt64, of pattern: TopicPattern) -> PatternSubscriber? {
        remove(number, pattern.tokens[...])
    }

    private mutating func remove(_ number: UInt64, _ tokens: ArraySlice<TopicToken>) -> PatternSubscriber? {
        guard let first = tokens.first else { return Self.remove(number, from: &here) }
        if first == .rest { return Self.remove(number, from: &rest) }
        let removed = children[first]?.remove(number, tokens.dropFirst())
        if children[first]?.isEmpty == true { children[first] = nil }
        return removed
    }

    private static func remove(_ number: UInt64, from list: inout [PatternSubscriber]) -> PatternSubscriber? {
        // In the order of their numbers.
        var (low, high) = (list.startIndex, list.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < list.endIndex && list[low].number == number ? list.remove(at: low) : nil
    }

    /// The subscribers whose patterns match a name, in no order. ``sorted(_:)`` does the rest, which needs no lock.
    func matching(_ name: TopicName) -> [PatternSubscriber] {
        var found: [PatternSubscriber] = []
        collect(name.tokens[...], into: &found)
        return found
    }

    /// The same subscribers in the order in which they subscribed.
    static func sorted(_ found: [PatternSubscriber]) -> [PatternSubscriber] {
        found.count > 1 ? found.sorted { $0.number < $1.number } : found
    }

    // Each node is visited once at most, so the number of patterns bounds the work.
    private func collect(_ tokens: ArraySlice<TopicToken>, into found: inout [PatternSubscriber]) {
        guard let first = tokens.first else { return found.append(contentsOf: here) }
        found.append(contentsOf: rest)
        guard !children.isEmpty else { return }
        let others = tokens.dropFirst()
        children[first]?.collect(others, into: &found)
        children[.any]?.collect(others, into: &found)
    }

    /// All subscribers.
    var all: [PatternSubscriber] { here + rest + children.values.flatMap(\.all) }
}

/// A subscriber to a pattern. The channels of the topics that match send to it, from any thread.
@usableFromInline
final class PatternSubscriber: Sendable {
    @usableFromInline let pattern: TopicPattern
    /// Counts up on one bus, so that a channel recognizes the subscribers that it has not met.
    @usableFromInline let number: UInt64

    /// Sends a value. Its own queue puts the values of several channels into one order.
    @usableFromInline let send: @Sendable (Envelope<any Sendable>) -> Demand
    @usableFromInline let lose: @Sendable (Int) -> Void
    @usableFromInline let whenReady: @Sendable (@escaping @Sendable () -> Void) -> Demand
    /// Completes it, behind the values in its queue.
    @usableFromInline let complete: @Sendable () -> Void

    @inlinable
    init<Downstream: Observer & ~Copyable>(
        _ output: SerialObserver<Downstream>,
        pattern: TopicPattern,
        number: UInt64
    ) where Downstream.Value == Envelope<any Sendable>, Downstream.Failure == Never {
        self.pattern = pattern
        self.number = number
        // Only this object holds it: the observers below are freed with it.
        let sender = Sender(output)
        send = { envelope in
            let demand = output.next(envelope)
            if demand == .stop { output.terminate(.completed) }
            return withExtendedLifetime(sender) { demand }
        }
        lose = { output.lost($0) }
        whenReady = { output.whenReady($0) }
        complete = { output.terminate(.completed) }
    }
}
