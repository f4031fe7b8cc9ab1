public import Bus
public import Timers

extension Signals {
    /// The records of several sources in the order of their times.
    ///
    /// ```
    /// a        --1-----4---------|
    /// b        ----3-------2-5---|
    /// inOrder  ----1-3-----4-2'5-|     2' is late: it came more than a window behind the 4
    /// ```
    ///
    /// A record waits until it is certain that no earlier one can come. That is so when each of the other sources has one waiting
    /// that is not earlier, or has ended. A source that has not yet told all that there was (``RecordItem/caughtUp``) is waited
    /// for as long as it takes. One that has is waited for no longer than the window: an idle source holds nothing up. What
    /// comes later than that is sent when it comes, with ``Record/isLate``.
    ///
    /// Records of one source stay in the order in which it tells them; one that is earlier than the one before it counts as equally late.
    /// Of equal times the source comes first that stands first.
    ///
    /// - Ends: when all sources have, and everything was sent.
    /// - Fails: with the first source that does. What waits is sent before, in order.
    /// - Cancelling: ends all subscriptions; what waits is dropped.
    /// - Pausing: what comes waits here; a source with `limit` records waiting is told to pause, until there are half as many.
    /// - Buffers: at most `limit` records of each source. What a source sends beyond that, though it was told to pause, is lost and counted.
    /// - Thread: that of whichever source speaks, or `scheduler`'s when a window has passed.
    ///
    /// - Parameters:
    ///   - sources: subscribed to in order.
    ///   - window: how long a record waits for earlier ones of sources that are idle. With zero, records come in the order of arrival and none
    ///     is late.
    ///   - limit: how many records of a source may wait; at least one may.
    ///   - scheduler: whose clock counts.
    public static func merge<Failure: Error>(
        inOrder sources: [AnySignal<RecordItem, Failure>],
        window: Duration = .milliseconds(100),
        limit: Int = 1024,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Record, Failure> {
        MergeInOrderSignal(sources: sources, window: window, limit: max(1, limit), scheduler: scheduler)
    }
}

private struct MergeInOrderSignal<Failure: Error, Time: TimedScheduler>: Signal {
    typealias Value = Record

    let sources: [AnySignal<RecordItem, Failure>]
    let window: Duration
    let limit: Int
    let scheduler: Time

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let ordering = RecordOrdering(
            SerialObserver(observer),
            RecordLines(count: sources.count, window: window, limit: limit),
            scheduler
        )
        ordering.output.resources.add(ordering.timer)
        for (index, source) in sources.enumerated() {
            guard !ordering.output.isClosing else { break }
            ordering.output.resources.add(source.subscribe(OrderedInput(ordering: ordering, index: index)))
        }
        ordering.pump()
        return ordering.output.handle
    }

    var chain: Chain { Chain(joining: sources.map(\.chain), by: "merge(inOrder)") }
}

/// Hears one source.
private struct OrderedInput<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Observer, ~Copyable
where Downstream.Value == Record {
    typealias Value = RecordItem
    typealias Failure = Downstream.Failure
    let ordering: RecordOrdering<Downstream, Time>
    let index: Int

    mutating func next(_ item: RecordItem) -> Demand { ordering.take(item, of: index) }

    mutating func lost(_ count: Int) { ordering.output.lost(count) }

    consuming func terminate(_ termination: Termination<Failure>) { ordering.ended(index, termination) }

    var demand: Demand { ordering.demand(of: index) }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { ordering.whenReady(index, resume) }
}

/// One subscription: the records that wait, and whoever sends them on.
private final class RecordOrdering<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where Downstream.Value == Record {
    typealias Failure = Downstream.Failure

    struct State {
        var lines: RecordLines
        var failure: Failure?
        /// Whether some thread is sending, and whether it is to look again.
        var isPumping = false
        var looksAgain = false
        /// Whether the output has been asked to call back.
        var awaitsRoom = false
        var resumes: [(@Sendable () -> Void)?]
        /// When the timer will look.
        var alarm: TimerInstant?
    }

    enum Step {
        case send(Record, resuming: (@Sendable () -> Void)?)
        case end(Termination<Failure>)
        case sleep(until: TimerInstant?)
        case again
    }

    let output: SerialObserver<Downstream>
    let timer = SerialTimer()
    private let state: Lock<State>
    private let scheduler: Time

    init(_ output: SerialObserver<Downstream>, _ lines: RecordLines, _ scheduler: Time) {
        self.output = output
        self.scheduler = scheduler
        state = Lock(State(lines: lines, resumes: Array(repeating: nil, count: lines.count)))
    }

    deinit {
        output.abandon()
    }

    // MARK: What a source calls

    func take(_ item: RecordItem, of index: Int) -> Demand {
        if output.isClosing { return .stop }
        let now = scheduler.now
        let (isLost, isFull) = state.withLock { state -> (Bool, Bool) in
            switch item {
            case .caughtUp: state.lines.caughtUp(index)
            case .record(let record):
                guard state.lines.add(record, to: index, at: now) else { return (true, true) }
            }
            return (false, state.lines.isFull(index))
        }
        if isLost { output.lose() }
        pump()
        // Sending may have made room.
        return isFull ? demand(of: index) : output.isClosing ? .stop : .more
    }

    func ended(_ index: Int, _ termination: Termination<Failure>) {
        state.withLock { state in
            switch termination {
            case .completed: state.lines.ended(index)
            case .failed(let failure):
                if state.failure == nil { state.failure = failure }
                state.lines.endAll()
            }
        }
        pump()
        // The end that was asked for when the observer said that it wants no more.
        if output.isClosing { output.terminate(.completed) }
    }

    func demand(of index: Int) -> Demand {
        if output.isClosing { return .stop }
        return state.withLock { $0.lines.isFull(index) } ? .pause : .more
    }

    func whenReady(_ index: Int, _ resume: @escaping @Sendable () -> Void) -> Demand {
        if output.isClosing { return .stop }
        return state.withLock { state in
            guard state.lines.isFull(index) else { return .more }
            state.resumes[index] = resume
            return .pause
        }
    }

    // MARK: Sending

    /// Sends what may be sent, unless another thread is at it, which then looks again.
    func pump() {
        let isTurn = state.withLock { state in
            state.looksAgain = state.isPumping
            defer { state.isPumping = true }
            return !state.isPumping
        }
        guard isTurn else { return }
        while true {
            if output.isClosing { return finish() }
            if output.demand == .pause {
                if isLeftForRoom() { return }
                continue
            }
            switch step() {
            case .send(let record, let resume):
                _ = output.next(record)
                resume?()
            case .end(let termination): return output.terminate(termination)
            case .again: continue
            case .sleep(let deadline):
                if let deadline { timer.schedule(at: deadline, on: scheduler) { [weak self] in self?.ring(deadline) } }
                return
            }
        }
    }

    private func step() -> Step {
        let now = scheduler.now
        return state.withLock { state in
            if let (record, index) = state.lines.next(at: now) {
                return .send(record, resuming: state.lines.hasRoom(index) ? state.resumes[index].take() : nil)
            }
            if let failure = state.failure { return .end(.failed(failure)) }
            if state.lines.isOver { return .end(.completed) }
            if state.looksAgain {
                state.looksAgain = false
                return .again
            }
            state.isPumping = false
            guard let deadline = state.lines.deadline, deadline != state.alarm else { return .sleep(until: nil) }
            state.alarm = deadline
            return .sleep(until: deadline)
        }
    }

    private func ring(_ deadline: TimerInstant) {
        state.withLock { state in
            if state.alarm == deadline { state.alarm = nil }
        }
        pump()
    }

    /// Whether the output will call back when it has room, which then sends on.
    private func isLeftForRoom() -> Bool {
        let isAsked = state.withLock { state in
            state.isPumping = false
            defer { state.awaitsRoom = true }
            return state.awaitsRoom
        }
        if isAsked { return true }
        let demand = output.whenReady { [self] in
            let isAwaited = state.withLock { state in
                defer { state.awaitsRoom = false }
                return state.awaitsRoom
            }
            if isAwaited { pump() }
        }
        if demand == .pause { return true }
        // It will not call; but another thread may have begun to send meanwhile.
        return state.withLock { state in
            state.awaitsRoom = false
            if state.isPumping { return true }
            state.isPumping = true
            return false
        }
    }

    /// Nobody listens any more: sources that pause are to learn it.
    private func finish() {
        let resumes = state.withLock { state -> [(@Sendable () -> Void)?] in
            defer { state.resumes = state.resumes.map { _ in nil } }
            state.lines.endAll()
            return state.resumes
        }
        for resume in resumes { resume?() }
    }
}
