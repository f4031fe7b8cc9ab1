public import Glibc
public import Synchronization

/// Puts what several threads send, and what is sent from inside a callback, into one order for one observer.
///
/// This is where the delivery contract is kept: one event at a time, first in first out, no recursion, no foreign code
/// under a lock, nothing after the end or after disposal. The first sender delivers on its own thread; what arrives
/// meanwhile waits in a bounded queue, which that first sender empties before it returns. The common case, nobody else
/// sending, takes no lock.
///
/// Senders and handle both hold it. A chain is nevertheless freed with its source, ended or not: whoever sends holds a
/// ``Sender`` too, and when the last of them is gone, what is below is let go of. (Weak references would do the same,
/// but an object that has one pays 20 ns for every retain, and Leak Sanitizer cannot see through it.)
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

    @usableFromInline let turn: DeliveryTurn
    @usableFromInline let phase = Atomic<UInt8>(0)
    @usableFromInline let isDisposed = Atomic<Bool>(false)
    // Touched by the deliverer alone, which `turn` makes unique; hence no exclusivity check.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    // Written once by the deliverer, read by the deliverer.
    @exclusivity(unchecked) @usableFromInline var termination: Termination<Failure>?

    // Whether the downstream answered `stop`; touched by the deliverer alone.
    @exclusivity(unchecked) private var isSatisfied = false

    @usableFromInline let pending = Lock(PendingEvents<Downstream>())
    @usableFromInline let limit: Int
    @usableFromInline let whenFull: WhenFull
    @usableFromInline let room = WaitingRoom()

    /// What the subscription acquired upstream; released before the downstream hears the end.
    @usableFromInline package let resources: CompoundDisposable

    /// - Parameters:
    ///   - resources: what is released with the subscription.
    ///   - limit: how many values wait in line at most.
    ///   - whenFull: what becomes of one more.
    ///   - othersAreRare: whether there is one source, which others, a timer say, hardly ever come in between.
    @inlinable
    package init(
        _ downstream: consuming Downstream,
        resources: CompoundDisposable = CompoundDisposable(),
        limit: Int = 1024,
        whenFull: WhenFull = .wait,
        othersAreRare: Bool = false
    ) {
        turn = DeliveryTurn(othersAreRare: othersAreRare)
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

    /// Values lost here because the queue was full and waiting was refused.
    package var lost: Int { pending.withLock { $0.lost } }

    // MARK: Sending

    /// Takes the turn if it is nobody's. Who gets true calls ``leave(as:)`` when done.
    @inlinable
    func enter(as thread: UInt = pthreadSelf()) -> Bool { turn.take(as: thread) }

    /// Gives the turn up, and sees to what was put in line meanwhile.
    @inlinable
    func leave(as thread: UInt = pthreadSelf()) {
        if !turn.giveUp(as: thread) { drain() }
    }

    /// Whether it is this thread that delivers.
    @usableFromInline
    func isDelivering(on thread: UInt) -> Bool { turn.isTaken(by: thread) }

    @inlinable
    package func next(_ value: Value) -> Demand {
        guard phase.load(ordering: .relaxed) == Self.open else { return .stop }
        let thread = pthreadSelf()
        guard enter(as: thread) else { return enqueue(.next(value)) }
        if turn.hasLine { deliverLine(as: thread) }
        deliver(value)
        leave(as: thread)
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
        guard phase.load(ordering: .relaxed) == Self.open else { return .stop }
        let thread = pthreadSelf()
        guard enter(as: thread) else { return enqueue(.input(later())) }
        if turn.hasLine { deliverLine(as: thread) }
        deliver(now)
        leave(as: thread)
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

    /// Says in its turn that `count` values are missing, which were lost above.
    @usableFromInline
    package func lost(_ count: Int) {
        pending.withLock { $0.appendLoss(of: count) }
        announce()
    }

    /// Counts a value that was lost here, and says so in its turn.
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
        phase.store(Self.closed, ordering: .releasing)
        room.wake()
        resources.dispose()
        announce()
    }

    /// Nobody is left who could send: what waits is delivered, and then the downstream is let go of.
    ///
    /// What the subscription acquired stays: a `create` may hold something that is wanted though nothing more can be
    /// said, until the handle ends it.
    @usableFromInline
    package func abandon() {
        // Ended or disposed of, it has been let go of already.
        guard phase.load(ordering: .acquiring) != Self.closed else { return }
        submit(.abandon)
    }

    // MARK: Waiting in line

    @usableFromInline
    func submit(_ entry: PendingEvents<Downstream>.Entry) {
        pending.withLock { $0.entries.append(entry) }
        announce()
    }

    /// There is something in line: whoever delivers sees to it, or, if nobody does, the caller.
    @usableFromInline
    func announce() {
        if tellsOfLine() { drain() }
    }

    /// Says that there is something in line; answers whether the turn was nobody's, and is the caller's now, who drains.
    @usableFromInline
    func tellsOfLine() -> Bool { turn.announceLine(as: pthreadSelf()) }

    /// Puts what counts as a value in line, where the line has a bound.
    @usableFromInline
    func enqueue(_ entry: PendingEvents<Downstream>.Entry) -> Demand {
        let admission = room.admit(
            // A sender inside its own callback would wait for itself.
            mayWait: { self.whenFull == .wait && !self.isDelivering(on: pthreadSelf()) },
            isClosed: { self.isClosing },
            attempt: { pending.withLock { $0.append(entry, limit: limit) } }
        )
        switch admission {
        case .closed: return .stop
        case .refused: lose()
        case .admitted: announce()
        }
        return demand
    }

    // MARK: Delivering; the caller is the deliverer

    @usableFromInline
    func drain() {
        let thread = pthreadSelf()
        repeat {
            deliverLine(as: thread)
        } while !turn.giveUp(as: thread)
    }

    @usableFromInline
    func deliverLine(as thread: UInt) {
        turn.beginLine(as: thread)
        deliverPending()
        if isDisposed.load(ordering: .acquiring) { downstream = nil }
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
            // Its sender has gone on meanwhile and may never ask again, so the end that follows a stop is made here.
            case .next(let value):
                deliver(value)
                if isSatisfied { deliver(.completed) }
            case .input(let input):
                deliver(input)
                if isSatisfied { deliver(.completed) }
            case .lost(let count): if !isClosing { downstream?.lost(count) }
            case .terminate(let termination): deliver(termination)
            case .perform(let action): action(&downstream, termination)
            case .abandon: letGo()
            }
        }
    }

    @inlinable
    func deliver(_ value: Value) {
        guard phase.load(ordering: .relaxed) == Self.open else { return }
        if downstream?.next(value) == .stop { satisfied() }
    }

    @inlinable
    func deliver(_ input: (inout Downstream) -> Demand) {
        guard phase.load(ordering: .relaxed) == Self.open, downstream != nil else { return }
        // Looked at above; there is no other way to lend what cannot be copied.
        // swift-format-ignore: NeverForceUnwrap
        if input(&downstream!) == .stop { satisfied() }
    }

    @usableFromInline
    func satisfied() {
        isSatisfied = true
        stop()
    }

    private func deliver(_ termination: Termination<Failure>) {
        guard self.termination == nil, !isDisposed.load(ordering: .acquiring) else { return }
        // Whoever answered `stop` hears that it is over, also where another sender fails before the one that was told.
        let termination = isSatisfied ? .completed : termination
        self.termination = termination
        phase.store(Self.closed, ordering: .releasing)
        room.wake()
        resources.dispose()
        downstream.take()?.terminate(termination)
    }

    private func letGo() {
        phase.store(Self.closed, ordering: .releasing)
        downstream = nil
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
