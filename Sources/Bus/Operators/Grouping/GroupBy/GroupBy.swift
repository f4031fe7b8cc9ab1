extension Signal {
    /// Sorts the values into groups by a key: a signal of signals, one for each key.
    ///
    /// ```
    /// self                 --a1--b1--a2----b2--|
    /// groupBy { letter }   --A---B-------------|
    /// group A                a1------a2--------|
    /// group B                    b1--------b2--|
    /// ```
    ///
    /// A group is sent before its first value, and is hot: subscribe to it where you hear of it, as `flatMap` does. One
    /// that nobody takes is forgotten at once, one whose last subscriber is gone, then; the next value with its key
    /// starts a new group. The table of groups thus holds what somebody listens to, and of that at most `limit`.
    ///
    /// ```swift
    /// import Bus
    ///
    /// let counts = Signals.from(["ssh", "cron", "ssh"])
    ///     .groupBy { unit in unit }
    ///     .flatMap { group in group.scan(0) { count, _ in count + 1 }.map { (group.key, $0) } }
    /// ```
    ///
    /// A loss above is told to the observer of groups, for nobody knows whose value it was.
    ///
    /// - Ends: with the source, the groups first, in the order of their creation. When the observer wants no more
    ///   groups, or disposes, there are no new ones; those that are subscribed to go on, and the source is released with
    ///   the last. (That is how most libraries have it; in ReactiveCocoa the groups ended, too.)
    /// - Fails: with the source, the groups first; with what `overflow` says.
    /// - Cancelling: ends the source's subscription as soon as no group is subscribed to.
    /// - Buffers: nothing, and at most `limit` groups; while another thread delivers, at most 1,024 groups wait, and 65,536
    ///   values of each.
    /// - Thread: the source's.
    ///
    /// - Parameters:
    ///   - limit: how many groups there may be at once; at least one.
    ///   - overflow: what becomes of a value whose key would need one more.
    ///   - key: what the values of a group have in common.
    @inlinable
    public consuming func groupBy<Key: Hashable & Sendable>(
        limit: Int = 1024,
        overflow: GroupOverflow<Failure> = .dropNewest,
        _ key: @escaping @Sendable (Value) -> Key
    ) -> some Signal<GroupedSignal<Key, Value, Failure>, Failure> {
        GroupBySignal(upstream: self, limit: limit, overflow: overflow, key: key)
    }
}

@frozen
@usableFromInline
struct GroupBySignal<Upstream: Signal, Key: Hashable & Sendable>: Signal {
    @usableFromInline typealias Value = GroupedSignal<Key, Upstream.Value, Upstream.Failure>
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let limit: Int
    @usableFromInline let overflow: GroupOverflow<Failure>
    @usableFromInline let key: @Sendable (Upstream.Value) -> Key

    @inlinable
    init(
        upstream: Upstream,
        limit: Int,
        overflow: GroupOverflow<Failure>,
        key: @escaping @Sendable (Upstream.Value) -> Key
    ) {
        self.upstream = upstream
        self.limit = limit
        self.overflow = overflow
        self.key = key
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let grouping = GroupBySubscription<Key, Upstream.Value, Downstream>(
            SerialObserver(observer),
            limit: limit,
            overflow: overflow
        )
        grouping.upstream.set(upstream.subscribe(GroupByObserver(grouping, key: key)))
        return grouping.output.handle
    }

    @usableFromInline var chain: Chain { upstream.chain.appending("groupBy") }
}

@frozen
@usableFromInline
struct GroupByObserver<Value: Sendable, Key: Hashable & Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Downstream.Value == GroupedSignal<Key, Value, Downstream.Failure> {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let grouping: GroupBySubscription<Key, Value, Downstream>
    @usableFromInline let sender: GroupBySender<Key, Value, Downstream>
    @usableFromInline let key: @Sendable (Value) -> Key

    @usableFromInline
    init(_ grouping: GroupBySubscription<Key, Value, Downstream>, key: @escaping @Sendable (Value) -> Key) {
        self.grouping = grouping
        self.key = key
        sender = GroupBySender(grouping)
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { grouping.next(value, key: key(value)) }

    @inlinable
    mutating func lost(_ count: Int) { grouping.output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { grouping.terminate(termination) }

    @inlinable
    var demand: Demand { grouping.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { grouping.whenReady(resume) }
}

/// The right to send into a `groupBy`; when it goes, nothing can come any more.
@usableFromInline
final class GroupBySender<Key: Hashable & Sendable, Value: Sendable, Downstream: Observer & ~Copyable>: Sendable
where Downstream.Value == GroupedSignal<Key, Value, Downstream.Failure> {
    private let grouping: GroupBySubscription<Key, Value, Downstream>

    @usableFromInline
    init(_ grouping: GroupBySubscription<Key, Value, Downstream>) {
        self.grouping = grouping
    }

    deinit {
        grouping.abandon()
    }
}
