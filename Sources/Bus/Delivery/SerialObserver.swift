public import Glibc
public import Synchronization

/// Puts what several threads send, and what is sent from inside a callback, into one order for one observer.
///
/// This is where the delivery contract is kept: one event at a time, first in first out, no recursion, no foreign code
/// under a lock, nothing after the end or after disposal. The first sender delivers on its own thread; what arrives
/// meanwhile waits in a bounded queue, which that first sender empties before it returns. The common case, nobody else
/// sending, takes no lock.
///
/// Nobody waits here. While the observer pauses, what arrives waits in the same queue, and the senders are told to pause.
/// They are told so, too, when half of the queue is taken, and called back when the observer is ready and less than a quarter
/// of it is taken. What is sent all the same and finds the queue full is lost and counted.
///
/// Senders and handle both hold it. A chain is nevertheless freed with its source, ended or not: whoever sends holds a
/// ``Sender`` too, and when the last of them is gone, what is below is let go of. (Weak references would do the same,
/// but an object that has one pays 20 ns for every retain, and Leak Sanitizer cannot see through it.)
@usableFromInline
package final class SerialObserver<Downstream: Observer & ~Copyable>: @unchecked Sendable {
    @usableFromInline package typealias Value = Downstream.Value
    @usableFromInline package typealias Failure = Downstream.Failure

    /// What is done with values while the observer pauses.
    @frozen
    @usableFromInline
    package enum WhilePaused: Sendable {
        /// They wait in line.
        case hold
        /// They are sent on: the observer has a queue that takes or loses them. So it is where several observers are behind
        /// one, of which one is not to keep the others waiting.
        case pass
    }

    @usableFromInline static var open: UInt8 { 0 }
    /// The downstream has no room.
    @usableFromInline static var paused: UInt8 { 1 }
    /// The downstream wants no more; the end is awaited from the sender that was told so.
    @usableFromInline static var stopping: UInt8 { 2 }
    /// The end was accepted, or the subscription disposed of.
    @usableFromInline static var closed: UInt8 { 3 }

    @usableFromInline let turn = DeliveryTurn()
    @usableFromInline let phase = Atomic<UInt8>(0)
    @usableFromInline let isDisposed = Atomic<Bool>(false)
    /// Whether the downstream has called back since it paused.
    private let hasRoom = Atomic<Bool>(false)
    /// Whether senders are to pause though the downstream does not: enough is in line. Changed under the lock of `pending`,
    /// and whoever takes it back calls those who wait there.
    @usableFromInline let isCrowded = Atomic<Bool>(false)
    // Touched by the deliverer alone, which `turn` makes unique; hence no exclusivity check.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    // Written once by the deliverer, read by the deliverer.
    @exclusivity(unchecked) @usableFromInline var termination: Termination<Failure>?

    // Whether the downstream answered `stop`; touched by the deliverer alone.
    @exclusivity(unchecked) private var isSatisfied = false

    @usableFromInline let pending = Lock(PendingEvents<Downstream>())
    @usableFromInline let limit: Int
    private let overflow: Overflow<Failure>
    @usableFromInline let whilePaused: WhilePaused

    /// What the subscription acquired upstream; released before the downstream hears the end.
    @usableFromInline package let resources: CompoundDisposable

    /// - Parameters:
    ///   - resources: what is released with the subscription.
    ///   - limit: how many values wait in line at most.
    ///   - overflow: what becomes of one more.
    ///   - whilePaused: what is done with values while the downstream pauses.
    @usableFromInline
    package init(
        _ downstream: consuming Downstream,
        resources: CompoundDisposable = CompoundDisposable(),
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        whilePaused: WhilePaused = .hold
    ) {
        self.downstream = consume downstream
        self.resources = resources
        self.limit = limit
        self.overflow = overflow
        self.whilePaused = whilePaused
        if self.downstream?.demand == .pause { beginPaused() }
    }

    private func beginPaused() {
        // In its turn, for it may call back before this is done.
        _ = enter()
        pause()
        leave()
    }

    /// Whether nothing more is wanted: stopped, ended or disposed of.
    @inlinable
    package var isClosing: Bool { phase.load(ordering: .acquiring) >= Self.stopping }

    /// Lets no further value through, until the sender that was told so brings the end.
    @inlinable
    package func stop() {
        var present = phase.load(ordering: .relaxed)
        while present < Self.stopping {
            let (exchanged, original) = phase.compareExchange(
                expected: present,
                desired: Self.stopping,
                ordering: .acquiringAndReleasing
            )
            if exchanged { return }
            present = original
        }
    }

    @inlinable
    package var demand: Demand {
        switch phase.load(ordering: .acquiring) {
        case Self.open: isCrowded.load(ordering: .relaxed) ? .pause : .more
        case Self.paused: .pause
        default: .stop
        }
    }

    /// Values lost here because the queue was full.
    package var lost: Int { pending.withLock { $0.lost } }

    // MARK: Sending

    /// Takes the turn if it is nobody's. Who gets true calls ``leave()`` when done.
    @inlinable
    func enter() -> Bool { turn.take() }

    /// Gives the turn up, and sees to what was put in line meanwhile.
    @inlinable
    func leave() {
        if !turn.giveUp() { drain() }
    }

    @inlinable
    package func next(_ value: Value) -> Demand {
        guard enter() else { return enqueue(.next(value)) }
        // Looked at in its turn: another sender may have filled the downstream a moment ago.
        guard phase.load(ordering: .relaxed) == Self.open else { return nextUnlessOpen(value) }
        deliver(value)
        leave()
        return demand
    }

    /// Takes a value in its turn that finds the downstream paused, or gone.
    @usableFromInline
    func nextUnlessOpen(_ value: Value) -> Demand {
        if whilePaused == .pass { deliver(value) }
        leave()
        if isClosing { return .stop }
        return whilePaused == .pass ? demand : enqueue(.next(value))
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
        guard phase.load(ordering: .relaxed) == Self.open else {
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
        dropResumes()
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

    // MARK: Pausing

    /// What ``Observer/whenReady(_:)`` is to a sender here. Every sender may have left one to be called.
    @usableFromInline
    package func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        // Whoever delivers makes room under this lock, and looks there afterwards for whom to call.
        pending.withLock { pending -> Demand in
            switch phase.load(ordering: .acquiring) {
            case Self.paused: break
            case Self.open where isCrowded.load(ordering: .relaxed): break
            case Self.open: return .more
            default: return .stop
            }
            pending.resumes.append(resume)
            return .pause
        }
    }

    /// Lets go of those who would be called, as nobody is to be called any more.
    private func dropResumes() {
        let resumes = pending.withLock { $0.takeResumes() }
        // Here, and not under the lock: what they hold may be anybody's.
        withExtendedLifetime(resumes) {}
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
    func tellsOfLine() -> Bool { turn.announceLine() }

    /// Puts what counts as a value in line, where the line has a bound.
    @usableFromInline
    func enqueue(_ entry: PendingEvents<Downstream>.Entry) -> Demand {
        let displaced = pending.withLock { pending -> PendingEvents<Downstream>.Entry? in
            let displaced = admit(entry, to: &pending)
            tellIfCrowded(pending)
            return displaced
        }
        // Let go of here, not under the lock.
        withExtendedLifetime(displaced) {}
        announce()
        return demand
    }

    /// Half of the line is for those senders who were told before that they may go on, so that nobody who heeds that loses
    /// anything. What is passed on to an observer that pauses has no line to wait in: then each one waits for the answer.
    func tellIfCrowded(_ pending: PendingEvents<Downstream>) {
        if pending.isCrowded(above: whilePaused == .pass ? 0 : limit / 2, limit: limit) {
            isCrowded.store(true, ordering: .relaxed)
        }
    }

    /// Those who are to be called, as less is in line now.
    private func takeResumesIfDrained(_ pending: inout PendingEvents<Downstream>) -> [@Sendable () -> Void] {
        guard phase.load(ordering: .acquiring) == Self.open,
            isCrowded.load(ordering: .relaxed) || !pending.resumes.isEmpty,
            !pending.isCrowded(above: whilePaused == .pass ? 0 : limit / 4, limit: limit)
        else { return [] }
        isCrowded.store(false, ordering: .relaxed)
        return pending.takeResumes()
    }

    /// Adds an entry, or loses what the policy says, which is answered when it was waiting.
    private func admit(
        _ entry: PendingEvents<Downstream>.Entry,
        to pending: inout PendingEvents<Downstream>
    ) -> PendingEvents<Downstream>.Entry? {
        if pending.lostToFailure > 0 {
            pending.lostToFailure += 1
            pending.lost += 1
            return nil
        }
        if pending.append(entry, limit: limit) { return nil }
        pending.lost += 1
        switch overflow {
        case .pause, .dropNewest:
            pending.appendLoss(of: 1)
            return nil
        case .dropOldest:
            guard let oldest = pending.loseOldest() else {
                pending.appendLoss(of: 1)
                return nil
            }
            _ = pending.append(entry, limit: limit)
            return oldest
        case .fail(let makeFailure):
            pending.lostToFailure = 1
            // Made when it is its turn, so that what is lost until then is in the number.
            pending.entries.append(
                .perform { [self] _, _ in
                    let count = self.pending.withLock { $0.lostToFailure }
                    deliver(.failed(makeFailure(count)))
                }
            )
            return nil
        }
    }

    // MARK: Delivering; the caller is the deliverer

    @usableFromInline
    func drain() {
        repeat {
            turn.beginLine()
            deliverPending()
            if isDisposed.load(ordering: .acquiring) { downstream = nil }
        } while !turn.giveUp()
        callBack()
    }

    /// Calls those who were told to pause and may go on: now that this thread is done, they deliver for themselves.
    private func callBack() {
        let resumes = pending.withLock { pending -> [@Sendable () -> Void] in
            pending.taken = 0
            return takeResumesIfDrained(&pending)
        }
        for resume in resumes { resume() }
    }

    private func deliverPending() {
        while true {
            if hasRoom.load(ordering: .relaxed), hasRoom.exchange(false, ordering: .acquiring) { reopen() }
            let isHeld = whilePaused == .hold && phase.load(ordering: .relaxed) == Self.paused
            let (entry, resumes) = pending.withLock {
                pending -> (PendingEvents<Downstream>.Entry?, [@Sendable () -> Void]) in
                if isHeld, pending.valueIsNext { return (nil, []) }
                // With nothing in line, they are called when this is over, and then deliver what they have without a line.
                guard let entry = pending.pop() else { return (nil, []) }
                return (entry, whilePaused == .hold ? takeResumesIfDrained(&pending) : [])
            }
            guard let entry else { return }
            for resume in resumes { resume() }
            deliver(entry)
        }
    }

    private func deliver(_ entry: PendingEvents<Downstream>.Entry) {
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
        case .perform(let action):
            action(&downstream, termination)
            // It may have sent something, as to a new subscriber, that was answered with a pause.
            if phase.load(ordering: .relaxed) == Self.open, downstream?.demand == .pause { pause() }
        case .abandon: if nothingIsLeft() { letGo() }
        }
    }

    @inlinable
    func deliver(_ value: Value) {
        guard phase.load(ordering: .relaxed) < Self.stopping else { return }
        if let demand = downstream?.next(value), demand != .more { heard(demand) }
    }

    @inlinable
    func deliver(_ input: (inout Downstream) -> Demand) {
        guard phase.load(ordering: .relaxed) < Self.stopping, downstream != nil else { return }
        // Looked at above; there is no other way to lend what cannot be copied.
        // swift-format-ignore: NeverForceUnwrap
        let demand = input(&downstream!)
        if demand != .more { heard(demand) }
    }

    @usableFromInline
    func heard(_ demand: Demand) {
        switch demand {
        case .more: break
        case .pause: pause()
        case .stop:
            isSatisfied = true
            stop()
        }
    }

    private func pause() {
        // Paused already, the downstream has been asked to call back.
        if phase.load(ordering: .relaxed) == Self.open { askForRoom() }
    }

    /// The downstream has called back. Somebody else may have taken the room since then.
    private func reopen() {
        guard phase.load(ordering: .relaxed) == Self.paused else { return }
        guard downstream?.demand == .pause else { return change(from: Self.paused, to: Self.open) }
        askForRoom()
        // Its senders stand still and will never hear of the stop, so the end that follows it is made here.
        if isSatisfied { deliver(.completed) }
    }

    private func askForRoom() {
        let resume: @Sendable () -> Void = { [self] in
            hasRoom.store(true, ordering: .releasing)
            announce()
        }
        switch downstream?.whenReady(resume) ?? .stop {
        case .more: change(from: Self.paused, to: Self.open)
        case .stop: heard(.stop)
        // Called meanwhile, `resume` has announced that, and whoever delivers, this thread, sees to it when it is done here.
        case .pause: change(from: Self.open, to: Self.paused)
        }
    }

    private func change(from old: UInt8, to new: UInt8) {
        _ = phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
    }

    private func deliver(_ termination: Termination<Failure>) {
        guard self.termination == nil, !isDisposed.load(ordering: .acquiring) else { return }
        // Whoever answered `stop` hears that it is over, also where another sender fails before the one that was told.
        let termination = isSatisfied ? .completed : termination
        self.termination = termination
        phase.store(Self.closed, ordering: .releasing)
        dropResumes()
        resources.dispose()
        downstream.take()?.terminate(termination)
    }

    /// An action that waited in line may have put something behind the last word of those who sent, as an end is.
    private func nothingIsLeft() -> Bool {
        pending.withLock { pending in
            if pending.entries.isEmpty { return true }
            pending.entries.append(.abandon)
            return false
        }
    }

    private func letGo() {
        phase.store(Self.closed, ordering: .releasing)
        dropResumes()
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
