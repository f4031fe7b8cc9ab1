import Glibc
public import Synchronization

/// Puts what several threads send, and what is sent from inside a callback, into one order for one observer.
///
/// This is where the delivery contract is kept: one event at a time, first in first out, no recursion, no foreign code
/// under a lock, nothing after the end or after disposal. The first sender delivers on its own thread; what arrives
/// meanwhile waits in a bounded queue, which that first sender empties before it returns. The common case, nobody else
/// sending, takes no lock.
///
/// It is owned by what sends into it. The handle given downstream refers to it weakly, so that a chain is freed with
/// its source, ended or not.
@usableFromInline
package final class SerialObserver<Downstream: Observer & ~Copyable>: @unchecked Sendable {
    @usableFromInline package typealias Value = Downstream.Value
    @usableFromInline package typealias Failure = Downstream.Failure

    /// What a sender may do when the queue is full.
    @frozen
    @usableFromInline
    package enum WhenFull: Sendable { case wait, dropNewest }

    @usableFromInline static var open: UInt8 { 0 }
    /// The downstream wants no more; the end is awaited from the sender that was told so.
    @usableFromInline static var stopping: UInt8 { 1 }
    /// The end was accepted, or the subscription disposed of.
    @usableFromInline static var closed: UInt8 { 2 }

    /// Entries waiting or being delivered. Who raises it from zero is the deliverer until it is back at zero.
    @usableFromInline let work = Atomic<Int>(0)
    @usableFromInline let phase = Atomic<UInt8>(0)
    @usableFromInline let isDisposed = Atomic<Bool>(false)
    /// The delivering thread, for telling a re-entrant sender, which must not wait for itself.
    @usableFromInline let deliverer = Atomic<UInt>(0)
    // Touched by the deliverer alone, which `work` makes unique; hence no exclusivity check.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    // Written once by the deliverer, read by the deliverer.
    @exclusivity(unchecked) @usableFromInline var termination: Termination<Failure>?

    @usableFromInline let pending = Lock(PendingEvents<Downstream>())
    @usableFromInline let limit: Int
    @usableFromInline let whenFull: WhenFull
    @usableFromInline let room = WaitingRoom()

    /// What the subscription acquired upstream; released before the downstream hears the end.
    @usableFromInline package let resources: CompoundDisposable

    @inlinable
    package init(
        _ downstream: consuming Downstream,
        resources: CompoundDisposable = CompoundDisposable(),
        limit: Int = 1024,
        whenFull: WhenFull = .wait
    ) {
        self.downstream = consume downstream
        self.resources = resources
        self.limit = limit
        self.whenFull = whenFull
    }

    /// Whether nothing more is wanted: stopped, ended or disposed of.
    @inlinable
    package var isClosing: Bool { phase.load(ordering: .acquiring) != Self.open }

    /// Lets no further value through, until the sender that was told so brings the end.
    @inlinable
    package func stop() {
        _ = phase.compareExchange(expected: Self.open, desired: Self.stopping, ordering: .acquiringAndReleasing)
    }

    @inlinable
    package var demand: Demand { isClosing ? .stop : .more }

    /// Values lost because a queue was full and waiting was refused.
    package var lost: Int { pending.withLock { $0.lost } }

    @usableFromInline
    func countLost() { pending.withLock { $0.lost += 1 } }

    // MARK: Sending

    @inlinable
    package func next(_ value: Value) -> Demand {
        guard phase.load(ordering: .relaxed) == Self.open else { return .stop }
        guard work.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged else {
            return enqueue(value)
        }
        deliverer.store(pthreadSelf(), ordering: .relaxed)
        deliver(value)
        deliverer.store(0, ordering: .relaxed)
        if work.subtract(1, ordering: .acquiringAndReleasing).newValue != 0 { drain() }
        return demand
    }

    @inlinable
    package func terminate(_ termination: Termination<Failure>) {
        submit(.terminate(termination))
    }

    /// Runs `action` in its turn among the events; it gets the downstream while there is one, else the end that came.
    @inlinable
    package func perform(_ action: @escaping @Sendable (inout Downstream?, Termination<Failure>?) -> Void) {
        submit(.perform(action))
    }

    /// Ends the subscription without telling the downstream, and frees it as soon as no event is being delivered.
    package func dispose() {
        guard !isDisposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        phase.store(Self.closed, ordering: .releasing)
        room.wake()
        resources.dispose()
        if work.add(1, ordering: .acquiringAndReleasing).oldValue == 0 { drain() }
    }

    // MARK: Waiting in line

    @usableFromInline
    func submit(_ entry: PendingEvents<Downstream>.Entry) {
        pending.withLock { $0.entries.append(entry) }
        if work.add(1, ordering: .acquiringAndReleasing).oldValue == 0 { drain() }
    }

    @usableFromInline
    func enqueue(_ value: Value) -> Demand {
        let admission = room.admit(
            // A sender inside its own callback would wait for itself.
            mayWait: { self.whenFull == .wait && self.deliverer.load(ordering: .relaxed) != pthreadSelf() },
            isClosed: { self.isClosing },
            attempt: {
                pending.withLock { pending -> Bool in
                    guard pending.values < limit else { return false }
                    pending.values += 1
                    pending.entries.append(.next(value))
                    return true
                }
            }
        )
        switch admission {
        case .closed: return .stop
        case .refused: countLost()
        case .admitted:
            if work.add(1, ordering: .acquiringAndReleasing).oldValue == 0 { drain() }
        }
        return demand
    }

    // MARK: Delivering; the caller is the deliverer

    @usableFromInline
    func drain() {
        deliverer.store(pthreadSelf(), ordering: .relaxed)
        var taken = 0
        repeat {
            taken = work.load(ordering: .acquiring)
            deliverPending()
            if isDisposed.load(ordering: .acquiring) { downstream = nil }
        } while settle(taken) != 0
    }

    /// Gives the role of deliverer up when no work came meanwhile; answers how much did.
    private func settle(_ taken: Int) -> Int {
        deliverer.store(0, ordering: .relaxed)
        let left = work.subtract(taken, ordering: .acquiringAndReleasing).newValue
        if left != 0 { deliverer.store(pthreadSelf(), ordering: .relaxed) }
        return left
    }

    private func deliverPending() {
        while true {
            let (entry, madeRoom) = pending.withLock { pending -> (PendingEvents<Downstream>.Entry?, Bool) in
                let wasFull = pending.values >= limit
                return (pending.pop(), wasFull)
            }
            guard let entry else { return }
            if madeRoom, whenFull == .wait { room.wake() }
            switch entry {
            case .next(let value): deliver(value)
            case .terminate(let termination): deliver(termination)
            case .perform(let action): action(&downstream, termination)
            }
        }
    }

    @inlinable
    func deliver(_ value: Value) {
        guard phase.load(ordering: .relaxed) == Self.open else { return }
        if downstream?.next(value) == .stop { stop() }
    }

    private func deliver(_ termination: Termination<Failure>) {
        guard self.termination == nil, !isDisposed.load(ordering: .acquiring) else { return }
        self.termination = termination
        phase.store(Self.closed, ordering: .releasing)
        room.wake()
        resources.dispose()
        downstream.take()?.terminate(termination)
    }
}

@usableFromInline
package func pthreadSelf() -> UInt { UInt(pthread_self()) }

extension SerialObserver where Downstream: ~Copyable {
    /// The handle to give downstream.
    @usableFromInline
    package var handle: any Disposable { SerialHandle(self) }
}

/// Ends a subscription that goes through a ``SerialObserver``: holds what is upstream, and the observer only weakly.
final class SerialHandle<Downstream: Observer & ~Copyable>: Disposable {
    private let resources: CompoundDisposable
    private let observer: WeakObserver

    private struct WeakObserver: Sendable {
        weak let reference: SerialObserver<Downstream>?
    }

    init(_ observer: SerialObserver<Downstream>) {
        resources = observer.resources
        self.observer = WeakObserver(reference: observer)
    }

    func dispose() {
        if let observer = observer.reference {
            observer.dispose()
        } else {
            resources.dispose()
        }
    }

    var isDisposed: Bool { resources.isDisposed }
}
