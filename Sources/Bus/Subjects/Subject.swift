import Synchronization

/// A hot signal that is sent into by hand: from callbacks, from other threads, from inside its own subscribers.
///
/// ```
/// send    --1---2---3--|
/// early   --1---2---3--|
/// late         ^2---3--|
/// ```
///
/// - A subscriber hears what is sent after it subscribed; after the end, it hears the end at once.
/// - Several threads may send: all subscribers see the same order, one event at a time. Whoever sends while another
///   event is being delivered returns at once, and its event follows; so does an event sent from inside a subscriber.
/// - Subscribers are called on the sending thread, in the order they subscribed.
/// - At most `limit` values wait for their turn. One that finds the queue full is lost and counted in ``lost``; the
///   subscribers learn of it in its place.
/// - Dropping the subject frees its subscribers' chains. They hear no end.
public final class Subject<Value: Sendable, Failure: Error>: Signal {
    @usableFromInline let core: SerialObserver<Fanout<Value, Failure>>

    /// - Parameters:
    ///   - type: what is sent.
    ///   - failure: what it may fail with; nothing, unless told.
    ///   - limit: how many values may wait while another is being delivered.
    @inlinable
    public init(of type: Value.Type = Value.self, failure: Failure.Type = Never.self, limit: Int = 65_536) {
        core = SerialObserver(Fanout(), limit: limit, whenFull: .dropNewest)
    }

    deinit {
        core.abandon()
    }

    /// Sends a value to the subscribers. After the end it does nothing.
    @inlinable
    public func send(_ value: Value) {
        _ = core.next(value)
    }

    /// Completes the subject, for its subscribers and all later ones.
    public func complete() {
        core.terminate(.completed)
    }

    /// Fails the subject, for its subscribers and all later ones.
    public func fail(_ failure: Failure) {
        core.terminate(.failed(failure))
    }

    /// How many values were lost because `limit` of them were waiting.
    public var lost: Int { core.lost }

    @inlinable
    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let token = SubscriptionToken()
        attach(SubscriberSlot(token: token, observer: AnyObserver(observer)))
        return SubjectSubscription(token: token, core: core)
    }

    @usableFromInline
    func attach(_ slot: SubscriberSlot<Value, Failure>) {
        core.perform { fanout, termination in
            if let termination {
                slot.terminate(termination)
            } else {
                fanout?.add(slot)
            }
        }
    }
}

/// Ends one subscription to a subject. Holds neither the subject nor, once either is gone, the subscriber.
@usableFromInline
final class SubjectSubscription<Value: Sendable, Failure: Error>: Disposable {
    private let token: SubscriptionToken
    private let core: SerialObserver<Fanout<Value, Failure>>

    @usableFromInline
    init(token: SubscriptionToken, core: SerialObserver<Fanout<Value, Failure>>) {
        self.token = token
        self.core = core
    }

    @usableFromInline
    func dispose() {
        guard token.isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        core.perform { [token] fanout, _ in fanout?.remove(token) }
    }

    @usableFromInline
    var isDisposed: Bool { !token.isOpen.load(ordering: .acquiring) }
}
