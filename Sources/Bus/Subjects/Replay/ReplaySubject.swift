/// A subject that sends its last values to a late subscriber before the later ones.
///
/// ```
/// send                 --1---2---3-----4--|
/// late, capacity 2                 ^23-4--|
/// after the end                            ^34|
/// ```
///
/// A late subscriber hears the kept values, then the later ones, each value once, in the order they were sent; after the end,
/// it hears the kept values and then the end. Replaying takes a place of its own among the events: while it lasts, other
/// values wait. If values were lost between the kept ones, the late subscriber is told of that too.
///
/// The replay pauses while the subscriber has no room, and loses nothing that is still kept. Values that are sent meanwhile
/// replace the oldest kept ones; those that the subscriber has not heard by then are reported to it as missing.
///
/// - Ends: when told. Values that are sent after the end are not kept. (ReactiveCocoa kept them.)
/// - Fails: when told.
/// - Cancelling: releases the subscriber, also in the middle of the replay.
/// - Buffers: the last `capacity` values, for which there is no default; and at most `limit` values while another is being
///   delivered. A value that finds that queue full is lost and counted in ``lost``.
/// - Thread: the kept values are heard during `subscribe`, on its thread, unless another event is being delivered: then after
///   that one and on its thread. Otherwise as with ``Subject``.
///
/// Dropping the subject frees its subscribers' chains. They hear no end.
public final class ReplaySubject<Value: Sendable, Failure: Error>: SubjectProtocol {
    @usableFromInline let core: SerialObserver<ReplayList<Value, Failure>>
    @usableFromInline let memory: ReplayList<Value, Failure>.Memory

    /// - Parameters:
    ///   - type: the type of the values.
    ///   - failure: the type of the failure; `Never`, unless told.
    ///   - capacity: how many values are kept; with none, it is a ``Subject``.
    ///   - limit: how many values may wait while another is being delivered.
    @inlinable
    public init(
        of type: Value.Type = Value.self,
        failure: Failure.Type = Never.self,
        capacity: Int,
        limit: Int = 65_536
    ) {
        memory = ReplayList.Memory(capacity: capacity)
        core = SerialObserver(ReplayList(memory), limit: limit, whilePaused: .pass)
    }

    deinit {
        core.abandon()
    }

    @inlinable
    public func send(_ value: Value) {
        _ = core.next(value)
    }

    @inlinable
    public func sendLoss(of count: Int) {
        core.lost(count)
    }

    public func complete() {
        core.terminate(.completed)
    }

    public func fail(_ failure: Failure) {
        core.terminate(.failed(failure))
    }

    @inlinable
    public var demand: Demand { core.demand }

    public func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { core.whenReady(resume) }

    /// How many values were lost because `limit` of them were waiting.
    public var lost: Int { core.lost }

    @inlinable
    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        replay(to: ObserverSlot(observer))
    }

    @usableFromInline
    func replay(to slot: SubscriberSlot<Value, Failure>) -> any Disposable {
        let reader = ReplayReader(slot) { (value: Value) in value }
        core.perform(as: .visitor) { [core, memory] list, termination in
            core.replay(to: slot, reader, from: { memory.buffer }, in: &list, termination) { $0.add(slot) }
        }
        return SubjectSubscription(slot: slot, core: core)
    }
}

/// Sends each event to every subscriber and keeps the last values for those who come later.
@usableFromInline
package struct ReplayList<Value: Sendable, Failure: Error>: ReplayingList, ~Copyable {
    /// The kept values. They are not part of the list, which is released at the end.
    @usableFromInline
    package final class Memory: @unchecked Sendable {
        // Touched only in the subject's order of delivery, one event at a time.
        @exclusivity(unchecked) @usableFromInline var buffer: ReplayBuffer<Value>

        @usableFromInline
        init(capacity: Int) {
            buffer = ReplayBuffer(capacity: capacity)
        }
    }

    @usableFromInline let memory: Memory
    @usableFromInline var fanout = Fanout<Value, Failure>()
    @usableFromInline let readers: ReplayReaders? = ReplayReaders()

    @usableFromInline
    package init(_ memory: Memory) {
        self.memory = memory
    }

    @inlinable
    package mutating func next(_ value: Value) -> Demand {
        memory.buffer.append(value)
        return fanout.next(value)
    }

    @usableFromInline
    package mutating func lost(_ count: Int) {
        memory.buffer.lose(count)
        fanout.lost(count)
    }

    @usableFromInline
    package consuming func terminate(_ termination: Termination<Failure>) {
        readers?.leaveList()
        fanout.terminate(termination)
    }

    @inlinable
    package var demand: Demand { readers?.isEmpty == false ? .pause : fanout.demand }

    /// Calls back when every subscriber that has no room has some, or has left.
    @usableFromInline
    package mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guard let readers, !readers.isEmpty else { return fanout.whenReady(resume) }
        let call = LastCall(resume)
        readers.hold(call)
        _ = fanout.whenReady { withExtendedLifetime(call) {} }
        return .pause
    }

    @usableFromInline
    package mutating func add(_ slot: SubscriberSlot<Value, Failure>) {
        fanout.add(slot)
    }

    @usableFromInline
    package mutating func remove(_ slot: SubscriberSlot<Value, Failure>) {
        readers?.remove(slot)
        fanout.remove(slot)
    }
}
