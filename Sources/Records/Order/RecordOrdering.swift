import Bus
import Timers

/// One subscription: the waiting records, and the thread that sends them on.
final class RecordOrdering<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where Downstream.Value == Record {
    typealias Failure = Downstream.Failure

    struct State {
        var queues: RecordQueues
        var failure: Failure?
        /// Whether some thread is sending, and whether it is to repeat its pass.
        var isPumping = false
        var pumpsAgain = false
        /// Whether the output has been asked to call back.
        var awaitsCallback = false
        var resumes: [(@Sendable () -> Void)?]
        /// When the timer will look.
        var alarm: TimerInstant?
    }

    enum Step {
        case send(Record, resuming: (@Sendable () -> Void)?)
        case lose(Int)
        case end(Termination<Failure>)
        case sleep(until: TimerInstant?)
        case again
    }

    let output: SerialObserver<Downstream>
    let timer = SerialTimer()
    private let state: Lock<State>
    private let scheduler: Time

    init(_ output: SerialObserver<Downstream>, _ queues: RecordQueues, _ scheduler: Time) {
        self.output = output
        self.scheduler = scheduler
        state = Lock(State(queues: queues, resumes: Array(repeating: nil, count: queues.count)))
    }

    deinit {
        output.abandon()
    }

    // MARK: Input from the sources

    func take(_ item: RecordItem, of index: Int) -> Demand {
        if output.isClosing { return .stop }
        let now = scheduler.now
        let isFull = state.withLock { state -> Bool in
            // What waits is sent, and then the failure.
            if state.failure != nil { return true }
            switch item {
            case .caughtUp: state.queues.caughtUp(index)
            case .record(let record):
                if !state.queues.add(record, to: index, at: now) { state.queues.lose(1, of: index) }
            case .place: break
            }
            return state.queues.isFull(index)
        }
        pump()
        // Sending may have made capacity free.
        return isFull ? demand(of: index) : output.isClosing ? .stop : .more
    }

    /// The loss waits behind the source's records that came before it.
    func lost(_ count: Int, of index: Int) {
        state.withLock { if $0.failure == nil { $0.queues.lose(count, of: index) } }
        pump()
    }

    func ended(_ index: Int, _ termination: Termination<Failure>) {
        let dropped = state.withLock { state -> [(@Sendable () -> Void)?] in
            switch termination {
            case .completed:
                state.queues.ended(index)
                return []
            case .failed(let failure):
                if state.failure == nil { state.failure = failure }
                state.queues.endAll()
                return takeResumes(&state)
            }
        }
        // Paused sources are not called back: they end with the output. Their closures are released here, not under the lock.
        withExtendedLifetime(dropped) {}
        pump()
        // The end that follows when the observer wants no more.
        if output.isClosing { output.terminate(.completed) }
    }

    func demand(of index: Int) -> Demand {
        if output.isClosing { return .stop }
        return state.withLock { state in
            state.failure != nil ? .stop : state.queues.isFull(index) ? .pause : .more
        }
    }

    func whenReady(_ index: Int, _ resume: @escaping @Sendable () -> Void) -> Demand {
        if output.isClosing { return .stop }
        let (demand, replaced) = state.withLock { state -> (Demand, (@Sendable () -> Void)?) in
            if state.failure != nil { return (.stop, nil) }
            guard state.queues.isFull(index) else { return (.more, nil) }
            defer { state.resumes[index] = resume }
            return (.pause, state.resumes[index])
        }
        // Released here, not under the lock: its deinitialiser may send to another input.
        withExtendedLifetime(replaced) {}
        return demand
    }

    // MARK: Sending

    /// Sends the records that may be sent, unless another thread is doing so; that thread then repeats its pass.
    func pump() {
        let mayPump = state.withLock { state in
            state.pumpsAgain = state.isPumping
            defer { state.isPumping = true }
            return !state.isPumping
        }
        guard mayPump else { return }
        while true {
            if output.isClosing { return finish() }
            if output.demand == .pause {
                if isLeftForCallback() { return }
                continue
            }
            switch step() {
            case .send(let record, let resume):
                _ = output.next(record)
                resume?()
            case .lose(let count): output.lost(count)
            case .end(let termination): return output.terminate(termination)
            case .again: continue
            case .sleep(let deadline):
                if let deadline { timer.schedule(at: deadline, on: scheduler) { [weak self] in self?.ring() } }
                return
            }
        }
    }

    private func step() -> Step {
        let now = scheduler.now
        return state.withLock { state in
            let lost = state.queues.takeLoss()
            if lost > 0 { return .lose(lost) }
            if let (record, index) = state.queues.next(at: now) {
                return .send(record, resuming: state.queues.hasCapacity(index) ? state.resumes[index].take() : nil)
            }
            if let failure = state.failure { return .end(.failed(failure)) }
            if state.queues.isOver { return .end(.completed) }
            if state.pumpsAgain {
                state.pumpsAgain = false
                return .again
            }
            state.isPumping = false
            guard let deadline = state.queues.deadline, deadline != state.alarm else { return .sleep(until: nil) }
            state.alarm = deadline
            return .sleep(until: deadline)
        }
    }

    private func ring() {
        // Whichever deadline it was set for: a thread that set a later one may have been overtaken, and its deadline is to be set again.
        state.withLock { $0.alarm = nil }
        pump()
    }

    /// Whether the output will call back when it is ready, which then sends on.
    private func isLeftForCallback() -> Bool {
        let isAsked = state.withLock { state in
            state.isPumping = false
            defer { state.awaitsCallback = true }
            return state.awaitsCallback
        }
        if isAsked { return true }
        let demand = output.whenReady { [self] in
            let isAwaited = state.withLock { state in
                defer { state.awaitsCallback = false }
                return state.awaitsCallback
            }
            if isAwaited { pump() }
        }
        if demand == .pause { return true }
        // It will not call; but another thread may have begun to send meanwhile.
        return state.withLock { state in
            state.awaitsCallback = false
            if state.isPumping { return true }
            state.isPumping = true
            return false
        }
    }

    /// Nobody listens any more. Calls paused sources back, and ends an observer that has answered stop now:
    /// the sources may be silent for long.
    private func finish() {
        let resumes = state.withLock { state in
            state.queues.endAll()
            return takeResumes(&state)
        }
        for resume in resumes { resume?() }
        output.terminate(.completed)
    }

    private func takeResumes(_ state: inout State) -> [(@Sendable () -> Void)?] {
        defer { state.resumes = state.resumes.map { _ in nil } }
        return state.resumes
    }
}
