import Synchronization

/// A hot signal that is sent into by hand: from callbacks, from other threads, from inside its own subscribers.
///
/// ```
/// send    --1---2---3--|
/// early   --1---2---3--|
/// late         ^2---3--|
/// ```
///
/// - A subscriber hears the values that are sent after it subscribed; after the end, it hears the end at once. (As in
///   RxSwift, Combine and ReactiveSwift. ReactiveCocoa's subject went on after its end.)
/// - Subscribers are called on the sending thread, in the order they subscribed, always. (As in ReactiveCocoa and
///   ReactiveSwift; OpenCombine and RxSwift lose the order as they grow.)
/// - Several threads may send: all subscribers see the same order, one event at a time. A sender that comes while another
///   event is being delivered returns at once, and its event follows; so does an event sent from inside a subscriber. A
///   subscriber that comes meanwhile hears the events after that one.
/// - It cannot pause: a value is sent to every subscriber. A subscriber that has no room loses the value in its own queue,
///   where it is counted; the others hear it. ``demand`` says whether all have room, and ``whenReady(_:)`` calls back when
///   they do.
/// - A send costs time in proportion to the number of subscribers. Subscribing and leaving take constant time.
///
/// - Ends: when told.
/// - Fails: when told.
/// - Cancelling: releases the subscriber, at once or after the event that is being delivered.
/// - Buffers: at most `limit` values, while another is being delivered. `overflow` says what happens to a value when the
///   queue is full. A lost value is counted in ``lost``, and the subscribers are told at the point in the sequence where it
///   is missing.
/// - Thread: the sender's, or that of another sender who is delivering; `bus-delivery` for what a sender has left because
///   others send without pause.
///
/// Dropping the subject frees its subscribers' chains. They hear no end.
public final class Subject<Value: Sendable, Failure: Error>: SubjectProtocol {
    @usableFromInline let core: SerialObserver<Fanout<Value, Failure>>

    /// - Parameters:
    ///   - type: the type of the values.
    ///   - failure: the type of the failure; `Never`, unless told.
    ///   - limit: how many values may wait while another is being delivered. Beyond that, the newest is lost.
    @inlinable
    public init(of type: Value.Type = Value.self, failure: Failure.Type = Never.self, limit: Int = 65_536) {
        core = SerialObserver(Fanout(), limit: limit, whilePaused: .pass)
    }

    /// - Parameters:
    ///   - type: the type of the values.
    ///   - limit: how many values may wait while another is being delivered.
    ///   - overflow: what happens to a value when so many wait already; ``Overflow/pause`` loses the newest, too.
    @inlinable
    public init(of type: Value.Type = Value.self, limit: Int = 65_536, overflow: Overflow<Failure>) {
        core = SerialObserver(Fanout(), limit: limit, overflow: overflow, whilePaused: .pass)
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
        core.attach(observer)
    }
}

/// Ends one subscription to a subject. It does not hold the subject. Once either is gone, it does not hold the subscriber.
@usableFromInline
struct SubjectSubscription<List: SubscriberList & ~Copyable>: Disposable {
    private let slot: SubscriberSlot<List.Heard, List.Failure>
    private let core: SerialObserver<List>

    @usableFromInline
    init(slot: SubscriberSlot<List.Heard, List.Failure>, core: SerialObserver<List>) {
        self.slot = slot
        self.core = core
    }

    @usableFromInline
    func dispose() {
        guard slot.isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        core.detach(slot)
    }

    @usableFromInline
    var isDisposed: Bool { !slot.isOpen.load(ordering: .acquiring) }
}
