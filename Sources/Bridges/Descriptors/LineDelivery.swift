public import Bus
import DequeModule
public import Synchronization

/// One subscription to `lines`: sends the lines of each piece, and stops in the middle of one while the observer pauses.
///
/// A piece may contain thousands of lines, so an observer may pause before all of them are sent. The rest of the
/// piece is kept, the source is told to pause, and pieces that come all the same wait behind it. The observer's
/// callback sends them.
@usableFromInline
final class LineDelivery<Downstream: Observer & ~Copyable>: @unchecked Sendable where Downstream.Value: LineText {
    @usableFromInline typealias Failure = Downstream.Failure

    /// A piece, a loss or the end that waits; they wait in order.
    private enum Held: QueuedEvent, Sendable {
        case piece([UInt8], from: Int)
        case lost(Int)
        /// The source's end; nil when it is gone without one.
        case end(Termination<Failure>?)

        var isValue: Bool { if case .piece = self { true } else { false } }

        var loss: Int? {
            get { if case .lost(let count) = self { count } else { nil } }
            set { self = .lost(newValue ?? 0) }
        }
    }

    private enum Drain: Sendable {
        /// Nothing waits: the source's thread sends.
        case idle
        case running
        /// The observer has called back since it was asked to.
        case runningAndReady
        /// Waiting for the observer's callback.
        case parked
    }

    private struct State: ResumeSlot, Sendable {
        var held: Deque<Held> = []
        /// How many of them are pieces.
        var pieces = 0
        var drain = Drain.idle
        /// The source is gone, with an end or without one.
        var isEnding = false
        /// The source's request to be called when nothing waits any more.
        var resume: (@Sendable () -> Void)?
    }

    /// How many pieces wait at most, if a source goes on while it is told to pause.
    private static var limit: Int { 1024 }

    // Both are touched by the source's thread while `isHolding` is false, and by the drainer while it is true. The
    // source's thread sets it; the drainer clears it as the last thing that it does.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    @exclusivity(unchecked) @usableFromInline var splitting: LineSplitting
    @usableFromInline let isHolding = Atomic<Bool>(false)
    /// Nothing more is wanted: it was disposed of, or the observer answered stop.
    @usableFromInline let isClosed = Atomic<Bool>(false)
    private let isDisposed = Atomic<Bool>(false)
    private let state = Lock(State())

    @usableFromInline
    init(_ downstream: consuming Downstream, _ splitting: LineSplitting) {
        self.downstream = consume downstream
        self.splitting = splitting
    }

    // MARK: The source's side

    @inlinable
    func next(_ bytes: [UInt8]) -> Demand {
        guard !isHolding.load(ordering: .acquiring) else { return hold(bytes) }
        var position = 0
        let demand = send(bytes, from: &position)
        return demand == .pause && isUnfinished(bytes, position) ? hold(bytes, from: position) : demand
    }

    @usableFromInline
    var demand: Demand {
        if isClosed.load(ordering: .acquiring) { return .stop }
        return isHolding.load(ordering: .acquiring) ? .pause : downstream?.demand ?? .stop
    }

    @usableFromInline
    func lost(_ count: Int) {
        let isHeld = state.withLock { state -> Bool in
            guard state.drain != .idle else { return false }
            state.held.appendLoss(of: count, .lost(count))
            return true
        }
        if !isHeld, !isClosed.load(ordering: .acquiring) { downstream?.lost(count) }
    }

    @usableFromInline
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        if isClosed.load(ordering: .acquiring) { return .stop }
        let demand = state.whenReady(resume) { $0.drain == .idle ? .more : .pause }
        return demand == .pause ? demand : downstream?.whenReady(resume) ?? .stop
    }

    /// The source has ended, or, with nil, is gone without an end.
    @usableFromInline
    func end(_ termination: Termination<Failure>?) {
        let (isOurs, resume) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard !state.isEnding else { return (false, nil) }
            state.isEnding = true
            let resume = state.resume.take()
            guard state.drain == .idle else {
                state.held.append(.end(termination))
                return (false, resume)
            }
            return (true, resume)
        }
        withExtendedLifetime(resume) {}
        guard isOurs else { return }
        if !finish(termination) { hold(.end(termination)) }
    }

    /// Keeps the rest of a piece, in the middle of which the observer paused.
    @usableFromInline
    @inline(never)
    func hold(_ bytes: [UInt8], from position: Int) -> Demand {
        hold(.piece(bytes, from: position))
        return demand
    }

    /// Keeps a piece behind others that wait.
    @usableFromInline
    @inline(never)
    func hold(_ bytes: [UInt8]) -> Demand {
        let isHeld = state.withLock { state -> Bool in
            guard state.drain != .idle else { return false }
            if state.pieces < Self.limit {
                state.held.append(.piece(bytes, from: 0))
                state.pieces += 1
            } else {
                state.held.appendLoss(of: 1, .lost(1))
            }
            return true
        }
        return isHeld ? demand : next(bytes)
    }

    private func hold(_ held: Held) {
        state.withLock { state in
            state.held.append(held)
            if held.isValue { state.pieces += 1 }
            state.drain = .running
            isHolding.store(true, ordering: .releasing)
        }
        drain()
    }

    // MARK: Sending; the caller is the one who may touch the downstream

    @inlinable
    func send(_ bytes: [UInt8], from position: inout Int) -> Demand {
        bytes.withUnsafeBufferPointer { bytes in
            while let line: Downstream.Value = splitting.next(in: bytes, from: &position) {
                if isClosed.load(ordering: .acquiring) { return .stop }
                let demand = downstream?.next(line) ?? .stop
                if demand != .more { return demand }
            }
            return isClosed.load(ordering: .acquiring) ? .stop : downstream?.demand ?? .stop
        }
    }

    /// Whether there is something left of a piece.
    @inlinable
    func isUnfinished(_ bytes: [UInt8], _ position: Int) -> Bool {
        position < bytes.count || splitting.hasEnded || splitting.rest.count > splitting.limit
    }

    /// Sends the line that is not finished, and the end. False when the observer pauses before: the rest has to wait
    /// as any other line.
    private func finish(_ termination: Termination<Failure>?) -> Bool {
        if termination != nil {
            var demand = demandOfDownstream
            while demand == .more, let last: Downstream.Value = splitting.last() {
                demand = downstream?.next(last) ?? .stop
                if isClosed.load(ordering: .acquiring) { demand = .stop }
            }
            if demand == .pause, !splitting.rest.isEmpty { return false }
        }
        let downstream = self.downstream.take()
        let isSilent = isDisposed.load(ordering: .acquiring)
        isClosed.store(true, ordering: .releasing)
        if let termination, !isSilent { downstream?.terminate(termination) }
        return true
    }

    private var demandOfDownstream: Demand {
        isClosed.load(ordering: .acquiring) ? .stop : downstream?.demand ?? .stop
    }

    // MARK: Sending what waits

    private func drain() {
        while true {
            var demand = isClosed.load(ordering: .acquiring) ? Demand.stop : .more
            if demand == .more { demand = downstream?.whenReady { [self] in ready() } ?? .stop }
            if demand == .pause {
                if park() { return }
                continue
            }
            if demand == .more { demand = sendHeld() }
            if demand == .stop { return stop() }
            if demand == .more, release() { return }
        }
    }

    /// Sends the waiting lines until the observer pauses. `stop` also after the end.
    private func sendHeld() -> Demand {
        while true {
            guard let next = state.withLock({ $0.held.popFirst() }) else { return .more }
            switch next {
            case .lost(let count):
                guard demandOfDownstream != .stop else { return .stop }
                downstream?.lost(count)
            case .end(let termination):
                if finish(termination) { return .stop }
                state.withLock { $0.held.prepend(.end(termination)) }
                return .pause
            case .piece(let bytes, var position):
                let demand = send(bytes, from: &position)
                let isUnfinished = demand == .pause && isUnfinished(bytes, position)
                state.withLock { [position] state in
                    if isUnfinished { state.held.prepend(.piece(bytes, from: position)) } else { state.pieces -= 1 }
                }
                if demand != .more { return demand }
            }
        }
    }

    /// Leaves the rest for when the observer calls back. False when it already has.
    private func park() -> Bool {
        state.withLock { state in
            let parks = state.drain != .runningAndReady && !isClosed.load(ordering: .acquiring)
            state.drain = parks ? .parked : .running
            return parks
        }
    }

    private func ready() {
        let isParked = state.withLock { state -> Bool in
            let isParked = state.drain == .parked
            if isParked { state.drain = .running }
            if state.drain == .running, !isParked { state.drain = .runningAndReady }
            return isParked
        }
        if isParked { drain() }
    }

    /// Lets the source send again. False when something came meanwhile.
    private func release() -> Bool {
        let (isReleased, resume) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard state.held.isEmpty else { return (false, nil) }
            state.drain = .idle
            isHolding.store(false, ordering: .releasing)
            return (true, state.resume.take())
        }
        resume?()
        return isReleased
    }

    /// Nothing more is wanted, or there is nothing more. A source that has not ended is called back to learn of it.
    private func stop() {
        isClosed.store(true, ordering: .releasing)
        let isSilent = isDisposed.load(ordering: .acquiring)
        var downstream = isSilent ? self.downstream.take() : nil
        let (held, resume, endsHere) = state.withLock { state in
            defer { state.held = [] }
            state.pieces = 0
            state.drain = .idle
            isHolding.store(false, ordering: .releasing)
            return (state.held, state.resume.take(), state.isEnding && !isSilent)
        }
        // A source that has ended does not come back with the end that is owed.
        if endsHere {
            downstream = self.downstream.take()
            downstream?.terminate(.completed)
        }
        if !isSilent { resume?() }
        withExtendedLifetime(held) {}
    }

    // MARK: Disposal

    /// Nothing is heard after this. Frees the downstream, unless something is being sent: then the sender frees it.
    func dispose() {
        isDisposed.store(true, ordering: .releasing)
        isClosed.store(true, ordering: .releasing)
        let isParked = state.withLock { state -> Bool in
            guard state.drain == .parked else { return false }
            state.drain = .running
            return true
        }
        if isParked { stop() }
    }

    var isOver: Bool { state.withLock { $0.drain == .idle } }
}
