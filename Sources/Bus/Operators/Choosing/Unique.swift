public import DequeModule

extension Signal {
    /// The values whose key was not seen before, as far as is remembered.
    ///
    /// ```
    /// self                              --a1--b1--a2--c1--a3--|
    /// unique(limit: 9) { $0.letter }    --a1--b1------c1------|
    /// ```
    ///
    /// The keys of the last `limit` values sent are remembered. When there are more, the one that was sent longest ago
    /// is forgotten, however often it was seen since, and a value with that key is sent again.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: at most `limit` keys, 65,536 unless told.
    ///
    /// - Parameters:
    ///   - limit: how many keys are remembered; at least one.
    ///   - key: the key of a value; a value with a remembered key is left out.
    @inlinable
    @inline(__always)
    public consuming func unique<Key: Hashable & Sendable>(
        limit: Int = 65_536,
        by key: @escaping @Sendable (Value) -> Key
    ) -> some Signal<Value, Failure> {
        transduced(by: RepetitionRemoving(limit: limit, key: key))
    }
}

extension Signal where Value: Hashable {
    /// The values that were not seen before, as far as is remembered. See ``Signal/unique(limit:by:)``.
    @inlinable
    @inline(__always)
    public consuming func unique(limit: Int = 65_536) -> some Signal<Value, Failure> {
        transduced(by: RepetitionRemoving(limit: limit, key: { $0 }))
    }
}

@frozen
@usableFromInline
struct RepetitionRemoving<Input: Sendable, Key: Hashable & Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let limit: Int
    @usableFromInline let key: @Sendable (Input) -> Key
    @usableFromInline var seen: Set<Key> = []
    /// The keys in `seen`, the oldest first.
    @usableFromInline var order: Deque<Key> = []

    @inlinable
    init(limit: Int, key: @escaping @Sendable (Input) -> Key) {
        self.limit = Swift.max(limit, 1)
        self.key = key
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        let key = key(value)
        guard seen.insert(key).inserted else { return downstream.demand }
        order.append(key)
        if order.count > limit, let oldest = order.popFirst() { seen.remove(oldest) }
        return downstream.next(value)
    }

    @usableFromInline static var name: String { "unique" }
    @usableFromInline var name: String { "unique(limit: \(limit))" }
}
