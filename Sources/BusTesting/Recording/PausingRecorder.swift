public import Bus

/// Subscribes to a signal, records its events, and pauses after a number of values until it is told to go on.
///
/// ```swift
/// import Bus
/// import BusTesting
///
/// let recorder = PausingRecorder(Signals.from(1...5), after: 2)
/// assert(recorder.values == [1, 2])
/// recorder.release(1)
/// assert(recorder.values == [1, 2, 3])
/// recorder.release()
/// assert(recorder.hasEnded)
/// ```
///
/// It answers the value that takes the last of its capacity with `Demand.pause`, like a queue that it fills. Losses and the end
/// are heard while it pauses, as the contract allows.
public final class PausingRecorder<Value: Sendable, Failure: Error>: Sendable {
    private let gate: PauseGate
    private let recorder: Recorder<Value, Failure>

    /// - Parameters:
    ///   - signal: subscribed to at once.
    ///   - count: how many values are taken before the first pause. With 0 it pauses from the beginning.
    ///   - time: the scheduler whose clock dates the events; without one they all are at zero.
    ///   - onNext: called with each value after it was recorded and before it is answered. It may call
    ///     ``release(_:)``.
    ///   - onEnd: called when the end is heard, before it is recorded.
    public init<Source: Signal>(
        _ signal: Source,
        after count: Int,
        on time: TestScheduler? = nil,
        onNext: @escaping @Sendable (Value) -> Void = { _ in },
        onEnd: @escaping @Sendable () -> Void = {}
    ) where Source.Value == Value, Source.Failure == Failure {
        let gate = PauseGate(capacity: count)
        self.gate = gate
        recorder = Recorder(
            signal,
            on: time,
            gate: gate,
            onNext: { value in
                onNext(value)
                return gate.take()
            },
            onEnd: {
                onEnd()
                gate.close()
            }
        )
    }

    /// Takes so many more values. If the signal waits, it is called back on this thread before this returns.
    public func release(_ count: Int = .max) { gate.release(count) }

    /// Whether it pauses.
    public var isPaused: Bool { gate.demand == .pause }

    /// Whether the signal waits to be called back.
    public var isAwaited: Bool { gate.isAwaited }

    /// How many values came while it paused. A source that cannot pause sends some; any other must not.
    public var overrun: Int { gate.overrun }

    /// Everything heard so far.
    public var events: [Event<Value, Failure>] { recorder.events }

    /// Everything heard so far, and when.
    public var timeline: [Recorded<Value, Failure>] { recorder.timeline }

    /// The values heard so far.
    public var values: [Value] { recorder.values }

    /// How many values were heard so far. Unlike ``values`` it copies none of them.
    public var valueCount: Int { recorder.valueCount }

    /// How many values the signal reported as missing.
    public var lost: Int { recorder.lost }

    /// Whether the end was heard.
    public var hasEnded: Bool { recorder.hasEnded }

    /// Breaches of the contract, in words. An ``overrun`` is not among them.
    public var violations: [String] { recorder.violations }

    /// Events that came after ``dispose()`` had returned.
    public var eventsAfterDisposal: Int { recorder.eventsAfterDisposal }

    /// Ends the subscription. A signal that waits is not called back.
    public func dispose() {
        recorder.dispose()
        gate.close()
    }

    /// Blocks the thread until the end was heard.
    public func waitForEnd() { recorder.waitForEnd() }
}
