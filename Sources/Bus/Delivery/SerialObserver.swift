public import Glibc
public import Synchronization

/// Puts events of several threads, and events sent from inside a callback, into one order for one observer.
///
/// This is where the delivery contract is kept: one event at a time, first in first out, no recursion, no foreign
/// code under a lock, nothing after the end or after disposal. The first sender delivers on its own thread. Events
/// that arrive meanwhile wait in a bounded queue, which that first sender empties before it returns. The common case,
/// in which nobody else sends, takes no lock.
///
/// A sender delivers for other threads only within a ``DeliveryBudget``, and a caller that does not send (`subscribe`,
/// `dispose`) delivers nothing for them. The rest is left to the next sender, or to a thread of ``DeliveryThread``,
/// whichever comes first.
///
/// No sender waits here. While the observer pauses, events wait in the same queue, and the senders are told to pause.
/// They are told so, too, when half of the queue is taken, and called back when the observer is ready and less than a
/// quarter of it is taken. Values that are sent all the same and find the queue full are lost and counted.
///
/// Senders and handle both hold it. A chain is nevertheless freed with its source, ended or not: each sender holds a
/// ``Sender`` too, and when the last of them is gone, the observers below are released. (Weak references would do the
/// same, but an object that has one pays 20 ns for every retain, and Leak Sanitizer cannot see through it.)
@usableFromInline
package final class SerialObserver<Downstream: Observer & ~Copyable>: @unchecked Sendable {
    @usableFromInline package typealias Value = Downstream.Value
    @usableFromInline package typealias Failure = Downstream.Failure

    /// The handling of values while the observer pauses.
    @frozen
    @usableFromInline
    package enum WhilePaused: Sendable {
        /// They wait in the queue.
        case hold
        /// They are sent on: the observer has a queue that takes or loses them. This is for an observer in front of
        /// several others, where one must not keep the others waiting.
        case pass
    }

    @usableFromInline let turn = DeliveryTurn()
    @usableFromInline let phase = DeliveryPhase()
    @usableFromInline let isDisposed = Atomic<Bool>(false)
    /// Whether the downstream has called back since it paused.
    let hasRoom = Atomic<Bool>(false)
    /// Whether a handle is still to come that must be disposed of before the downstream hears that its stop is confirmed.
    let isStarting: Atomic<Bool>
    /// Whether the package's thread has been asked to deliver what waits.
    let isHandedOn = Atomic<Bool>(false)
    /// Whether senders are to pause though the downstream does not, because enough is in the queue. Changed under the lock
    /// of `pending`; the one that clears it calls the senders that wait there.
    @usableFromInline let isCrowded = Atomic<Bool>(false)
    // Touched by the deliverer alone, which `turn` makes unique; hence no exclusivity check.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    // Written once by the deliverer, read by the deliverer.
    @exclusivity(unchecked) @usableFromInline var termination: Termination<Failure>?

    // Whether the downstream answered `stop`; touched by the deliverer alone.
    @exclusivity(unchecked) var isSatisfied = false

    // Made when it is first used: of many subscriptions at a time few have had events that wait.
    private let pendingStorage = AtomicLazyReference<LockStorage<PendingEvents<Downstream>>>()
    @usableFromInline var pending: Lock<PendingEvents<Downstream>> {
        Lock(pendingStorage.load() ?? pendingStorage.storeIfNil(LockStorage(PendingEvents())))
    }

    @usableFromInline let limit: Int
    let overflow: Overflow<Failure>
    @usableFromInline let whilePaused: WhilePaused

    /// The resources that the subscription acquired upstream; released before the downstream hears the end.
    @usableFromInline package let resources: CompoundDisposable

    /// - Parameters:
    ///   - resources: released with the subscription.
    ///   - limit: how many values wait in the queue at most.
    ///   - overflow: what happens to a value beyond that.
    ///   - whilePaused: the handling of values while the downstream pauses.
    ///   - isStarting: whether ``started()`` will be called.
    @usableFromInline
    package init(
        _ downstream: consuming Downstream,
        resources: CompoundDisposable = CompoundDisposable(),
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        whilePaused: WhilePaused = .hold,
        isStarting: Bool = false
    ) {
        self.isStarting = Atomic(isStarting)
        self.downstream = consume downstream
        self.resources = resources
        self.limit = limit
        self.overflow = overflow
        self.whilePaused = whilePaused
        if self.downstream?.demand == .pause { beginPaused() }
    }

    private func beginPaused() {
        // With the turn held, because it may call back before this is done.
        _ = enter()
        pause()
        leave()
    }

    /// All handles are among the resources.
    @usableFromInline
    func started() {
        isStarting.store(false, ordering: .relaxed)
        // Either the stop is seen here, or `confirmStop()` sees the store.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if isClosing { perform { [self] _, _ in if isSatisfied { terminateNext(.completed) } } }
    }

    /// Whether nothing more is wanted: stopped, ended or disposed of.
    @inlinable
    package var isClosing: Bool { phase.isClosing }

    /// Lets no further value through, until the sender that was told so sends the end.
    @inlinable
    package func stop() { phase.stop() }

    @inlinable
    package var demand: Demand {
        let demand = phase.demand
        return demand == .more && isCrowded.load(ordering: .relaxed) ? .pause : demand
    }

    /// Values lost here because the queue was full.
    package var lost: Int { pending.withLock { $0.lost } }

    // MARK: Sending

    /// Takes the turn if nobody has it. A caller that gets true calls ``leave()`` when done.
    @inlinable
    func enter() -> Bool { turn.take() }

    /// Gives the turn up, and drains events that were put in the queue meanwhile.
    @inlinable
    func leave(as caller: DeliveryCaller = .sender) {
        if !turn.giveUp() { drain(as: caller) }
    }

    @inlinable
    package func next(_ value: Value) -> Demand {
        guard enter() else { return enqueue(.next(value)) }
        // Checked with the turn held: another sender may have filled the downstream a moment ago.
        guard phase.isOpen else { return nextUnlessOpen(value) }
        deliver(value)
        leave()
        return demand
    }

    /// Takes a value, with the turn held, when the downstream is paused or gone.
    @usableFromInline
    func nextUnlessOpen(_ value: Value) -> Demand {
        if whilePaused == .pass { deliver(value) }
        leave()
        if isClosing { return .stop }
        return whilePaused == .pass ? demand : enqueue(.next(value))
    }

    /// ``next(_:)`` for a value of several parts, which is put together only to wait in the queue: a structure that is written part by part and read
    /// as a whole right afterwards makes the processor wait for the writes.
    ///
    /// - Parameters:
    ///   - now: gives the parts to the downstream, when it is their turn at once.
    ///   - later: makes the value.
    @inlinable
    package func next(_ now: (inout Downstream) -> Demand, orLater later: () -> Value) -> Demand {
        guard enter() else { return enqueue(.next(later())) }
        guard phase.isOpen else { return nextUnlessOpen(later()) }
        deliver(now)
        leave()
        return demand
    }

    /// Gives the downstream an input that is more than a value, in its turn.
    ///
    /// - Parameters:
    ///   - now: the input, when it is its turn at once.
    ///   - later: makes the same input to be kept, when another event is being delivered.
    @inlinable
    package func send(
        _ now: (inout Downstream) -> Demand,
        orLater later: () -> @Sendable (inout Downstream) -> Demand
    ) -> Demand {
        guard enter() else { return enqueue(.input(later())) }
        guard phase.isOpen else {
            leave()
            return isClosing ? .stop : enqueue(.input(later()))
        }
        deliver(now)
        leave()
        return demand
    }

    @inlinable
    package func terminate(_ termination: Termination<Failure>) {
        submit(.terminate(termination))
    }

    /// Runs `action` in its turn among the events; it gets the downstream while there is one, else the end that came.
    @inlinable
    package func perform(
        as caller: DeliveryCaller = .sender,
        _ action: @escaping @Sendable (inout Downstream?, Termination<Failure>?) -> Void
    ) {
        submit(.perform(action), as: caller)
    }

    /// Ends it before all that waits. From the action of a ``perform(as:_:)`` the end takes the place of the action.
    @usableFromInline
    package func terminateNext(_ termination: Termination<Failure>) {
        pending.withLock { $0.prepend(.terminate(termination)) }
        announce()
    }

    /// Says in its turn that `count` values are missing, which were lost above.
    @usableFromInline
    package func lost(_ count: Int) {
        guard count > 0 else { return }
        pending.withLock { $0.appendLoss(of: count) }
        announce()
    }

    /// Counts a value that was lost here, and reports it in its turn.
    @usableFromInline
    package func lose() {
        pending.withLock {
            $0.lost += 1
            $0.appendLoss(of: 1)
        }
        announce()
    }

    /// Ends the subscription without telling the downstream, and frees it as soon as no event is being delivered.
    package func dispose() {
        guard !isDisposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        phase.close()
        dropResumes()
        resources.dispose()
        announce(as: .visitor)
    }

    /// No sender is left: waiting events are delivered, and then the downstream is released.
    ///
    /// The resources of the subscription stay, until the handle ends it: a `create` may hold something that is needed
    /// though nothing more can be sent.
    @usableFromInline
    package func abandon() {
        // Ended or disposed of, it has been released already.
        if phase.isClosed { return }
        submit(.abandon, as: .visitor)
    }

    // MARK: Pausing

    /// ``Observer/whenReady(_:)`` for a sender here. Every sender may have left one closure to be called.
    @usableFromInline
    package func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        // The deliverer makes room under this lock, and then looks here for closures to call.
        let (demand, number) = pending.withLock { pending -> (Demand, UInt64) in
            let demand = self.demand
            return (demand, demand == .pause ? pending.keepResume(resume) : 0)
        }
        if demand == .pause {
            ObserverReadiness.onWithdrawal { [self] in
                _ = pending.withLock { $0.resumes.removeValue(forKey: number) }
            }
        }
        return demand
    }

    /// Releases the closures that would be called, because none is to be called any more.
    func dropResumes() {
        let resumes = pending.withLock { $0.takeResumes() }
        // Here, and not under the lock: their captures may run any code when they are released.
        withExtendedLifetime(resumes) {}
    }
}

@inlinable
package func pthreadSelf() -> UInt { UInt(pthread_self()) }

extension SerialObserver where Downstream: ~Copyable {
    /// The handle to give downstream.
    @usableFromInline
    package var handle: any Disposable { SerialHandle(observer: self) }
}

/// Ends a subscription that goes through a ``SerialObserver``.
struct SerialHandle<Downstream: Observer & ~Copyable>: Disposable {
    let observer: SerialObserver<Downstream>

    func dispose() { observer.dispose() }

    var isDisposed: Bool { observer.resources.isDisposed }
}
