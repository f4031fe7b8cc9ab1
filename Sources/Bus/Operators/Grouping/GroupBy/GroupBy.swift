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
    /// A group is sent before its first value. Its values wait for its first subscriber; after that it is hot. A
    /// group that nobody takes is forgotten at once. A group whose last subscriber is gone is forgotten then. The
    /// next value with its key starts a new group. The table of groups thus holds only groups that somebody listens
    /// to, and at most `limit` of them.
    ///
    /// A source that can pause is paused while the observer of groups has no room, while a subscriber has none, and
    /// while more than 512 values of one group wait for a first subscriber. An observer that keeps groups and
    /// subscribes to them only when the source has ended therefore waits for ever, if there are that many values.
    /// `flatMap(.concat)` and `.merge(maxConcurrent:)` do not: while a group waits there for others to end, the
    /// source goes on, and values beyond the 1,024 that wait are lost and counted in the signal of groups.
    ///
    /// ```swift
    /// import Bus
    ///
    /// let counts = Signals.from(["ssh", "cron", "ssh"])
    ///     .groupBy { unit in unit }
    ///     .flatMap { group in group.scan(0) { count, _ in count + 1 }.map { (group.key, $0) } }
    /// ```
    ///
    /// Where the chain of a group is longer than this, give it a function of its own; see <doc:LongChains>.
    ///
    /// A loss above is reported to the observer of groups, because the key of a lost value is not known.
    ///
    /// - Ends: with the source, the groups first, in the order of their creation. When the observer wants no more
    ///   groups, or disposes, there are no new ones; groups that are subscribed to go on, and the source is released
    ///   with the last. (Most libraries do this; in ReactiveCocoa the groups ended, too.)
    /// - Fails: with the source, the groups first; as `overflow` says.
    /// - Cancelling: ends the source's subscription as soon as no group is subscribed to.
    /// - Buffers: of each group at most 1,024 values until it is subscribed to. While the observer of groups has no
    ///   room, or another thread delivers, at most 1,024 groups wait; if the source does not pause, more are lost and
    ///   counted.
    ///
    /// - Parameters:
    ///   - limit: how many groups there may be at once; at least one.
    ///   - overflow: what happens to a value whose key would need one more group.
    ///   - key: makes the key that the values of a group have in common.
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

    @usableFromInline static var chain: Chain { Upstream.chain.appending("groupBy") }
    @usableFromInline var chain: Chain { upstream.chain.appending("groupBy") }
}

@frozen
@usableFromInline
struct GroupByObserver<Value: Sendable, Key: Hashable & Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Downstream.Value == GroupedSignal<Key, Value, Downstream.Failure> {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let grouping: GroupBySubscription<Key, Value, Downstream>
    @usableFromInline let sender: DropGuard<GroupBySubscription<Key, Value, Downstream>>
    @usableFromInline let key: @Sendable (Value) -> Key

    @usableFromInline
    init(_ grouping: GroupBySubscription<Key, Value, Downstream>, key: @escaping @Sendable (Value) -> Key) {
        self.grouping = grouping
        self.key = key
        sender = DropGuard(grouping)
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

/// The treatment of a value whose key has no group, when `groupBy` has as many groups as there may be.
public enum GroupOverflow<Failure: Error>: Sendable {
    /// The value is lost, and counted in the signal of groups; the existing groups go on.
    case dropNewest
    /// The group that has been without a value longest completes and makes room.
    case completeOldest
    /// The signal and all its groups fail with the closure's result.
    case fail(@Sendable () -> Failure)
}
