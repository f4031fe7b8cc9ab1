public import Bus
import Timers

/// Subscribes to a signal, records its events, and notes every breach of the delivery contract that it can see.
///
/// It never pauses: a source that is told to pause by the answer of `onNext` is told to go on as soon as it asks.
/// For an observer that pauses, use ``PausingRecorder``.
public final class Recorder<Value: Sendable, Failure: Error>: Sendable {
    private struct State: Sendable {
        var timeline: [Recorded<Value, Failure>] = []
        var violations: [String] = []
        var valueCount = 0
        var lost = 0
        var callsInProgress = 0
        var hasEnded = false
        var eventsAfterDisposal = 0
        var isDisposed = false
    }

    private let state = Lock(State())
    private let subscription = SerialDisposable()
    private let ended = Latch()
    private let clock: (@Sendable () -> TimerInstant)?
    private let onNext: @Sendable (Value) -> Demand
    private let onLoss: @Sendable (Int) -> Void
    private let onEnd: @Sendable () -> Void
    /// Tells whether it pauses; nil when it never does.
    private let gate: PauseGate?

    /// - Parameters:
    ///   - signal: subscribed to at once.
    ///   - time: the scheduler whose clock dates the events; without one they all are at zero.
    ///   - onNext: called with each value after it was recorded; its answer is passed upstream.
    ///   - onLoss: called with the number of missing values, at the point in the sequence where they are missing.
    ///   - onEnd: called when the end is heard, before it is recorded.
    public convenience init<Source: Signal>(
        _ signal: Source,
        on time: TestScheduler? = nil,
        onNext: @escaping @Sendable (Value) -> Demand = { _ in .more },
        onLoss: @escaping @Sendable (Int) -> Void = { _ in },
        onEnd: @escaping @Sendable () -> Void = {}
    ) where Source.Value == Value, Source.Failure == Failure {
        self.init(signal, on: time, gate: nil, onNext: onNext, onLoss: onLoss, onEnd: onEnd)
    }

    init<Source: Signal>(
        _ signal: Source,
        on time: TestScheduler?,
        gate: PauseGate?,
        onNext: @escaping @Sendable (Value) -> Demand,
        onLoss: @escaping @Sendable (Int) -> Void = { _ in },
        onEnd: @escaping @Sendable () -> Void
    ) where Source.Value == Value, Source.Failure == Failure {
        self.gate = gate
        clock = time?.reading
        self.onNext = onNext
        self.onLoss = onLoss
        self.onEnd = onEnd
        subscription.set(signal.subscribe(RecordingObserver(self)))
    }

    /// Everything heard so far.
    public var events: [Event<Value, Failure>] { timeline.map(\.event) }

    /// Everything heard so far, and when.
    public var timeline: [Recorded<Value, Failure>] { state.withLock { $0.timeline } }

    /// Everything heard so far as a marble line; see ``Diagram`` for the notation.
    public func marbles(step: Duration = .milliseconds(1)) -> String { timeline.marbles(step: step) }

    /// The values heard so far.
    public var values: [Value] {
        events.compactMap { event in
            if case .next(let value) = event { return value }
            return nil
        }
    }

    /// How many values were heard so far. Unlike ``values`` it copies none of them.
    public var valueCount: Int { state.withLock { $0.valueCount } }

    /// How many values the signal reported as missing.
    public var lost: Int { state.withLock { $0.lost } }

    /// Whether the end was heard.
    public var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Breaches of the contract, in words.
    public var violations: [String] { state.withLock { $0.violations } }

    /// Events that came after ``dispose()`` had returned.
    public var eventsAfterDisposal: Int { state.withLock { $0.eventsAfterDisposal } }

    /// Ends the subscription.
    public func dispose() {
        subscription.dispose()
        state.withLock { $0.isDisposed = true }
    }

    /// Blocks the thread until the end was heard.
    public func waitForEnd() { ended.wait() }

    fileprivate func next(_ value: Value) -> Demand {
        enter(.next(value))
        defer { leave() }
        return onNext(value)
    }

    fileprivate func lost(_ count: Int) {
        state.withLock { $0.lost += count }
        onLoss(count)
    }

    fileprivate func terminate(_ termination: Termination<Failure>) {
        onEnd()
        enter(Event(termination))
        state.withLock { $0.hasEnded = true }
        leave()
        ended.open()
    }

    fileprivate var demand: Demand { gate?.demand ?? .more }

    fileprivate func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { gate?.whenReady(resume) ?? .more }

    private func enter(_ event: Event<Value, Failure>) {
        let now = clock?() ?? TimerInstant(nanoseconds: 0)
        state.withLock { state in
            if state.callsInProgress > 0 { state.violations.append("\(event) came during another event") }
            if state.hasEnded { state.violations.append("\(event) came after the end") }
            if state.isDisposed { state.eventsAfterDisposal += 1 }
            state.callsInProgress += 1
            state.timeline.append(Recorded(now, event))
            if case .next = event { state.valueCount += 1 }
        }
    }

    private func leave() {
        state.withLock { $0.callsInProgress -= 1 }
    }
}

private struct RecordingObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    private let recorder: Recorder<Value, Failure>

    init(_ recorder: Recorder<Value, Failure>) {
        self.recorder = recorder
    }

    mutating func next(_ value: Value) -> Demand { recorder.next(value) }

    mutating func lost(_ count: Int) { recorder.lost(count) }

    consuming func terminate(_ termination: Termination<Failure>) { recorder.terminate(termination) }

    var demand: Demand { recorder.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { recorder.whenReady(resume) }
}
