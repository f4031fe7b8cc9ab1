public import Bus

extension Signal {
    /// This signal, ending when it is silent for too long: as a rule completing.
    ///
    /// ```
    /// self                            --1---2-----------3--
    /// timeout(5, ending: .completed)  --1---2----|
    /// ```
    ///
    /// Except for the end, it is as `timeout(_:_:failing:on:)`.
    ///
    /// (Combine's `timeout` without an error.)
    ///
    /// - Ends: when the wait has been too long, once the source is released; otherwise with the source.
    /// - Fails: with the source, or when `end` is a failure and the wait has been too long.
    /// - Cancelling: ends the source's subscription and cancels the timer.
    /// - Buffers: nothing; while one thread delivers, or while the observer pauses, at most 1,024 values wait.
    /// - Thread: the source's; the timeout's end comes on the scheduler's, unless a value is being delivered:
    ///   then it follows on that thread.
    ///
    /// - Parameters:
    ///   - duration: how long the wait may be.
    ///   - mode: which wait.
    ///   - end: the end after too long a wait.
    ///   - scheduler: measures the time and delivers the end.
    @inlinable
    public func timeout(
        _ duration: Duration,
        _ mode: TimeoutMode = .between,
        ending end: Termination<Failure>,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        DescribedSignal(
            TimeoutSignal(upstream: self, duration, mode, scheduler).transduced(by: EndingInSilence(end)),
            { chain.appending(mode.name(duration, also: ", ending: \(end)")) }
        )
    }

    // Chosen when no failure is given. It exists for its message.
    @available(
        *,
        unavailable,
        message: "say what a timeout does: `failing: error`, `fallingBackTo: other`, or `ending: .completed`"
    )
    public func timeout(
        _ duration: Duration,
        _ mode: TimeoutMode = .between,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> Self { self }

    /// This signal, and another in its place when it is silent for too long.
    ///
    /// ```
    /// self                                  --1---2-----------3--
    /// other                                            a--b|
    /// timeout(5, fallingBackTo: other)      --1---2----a--b|
    /// ```
    ///
    /// Except for the end, it is as `timeout(_:_:failing:on:)`. The other signal may be silent for any time.
    ///
    /// (RxSwift's `timeout(_:other:)`.)
    ///
    /// - Ends: with the source or, when the wait has been too long, with the other signal, which is subscribed to once
    ///   the source is released.
    /// - Fails: with the one that is heard.
    /// - Cancelling: ends the subscription to the one that is heard and cancels the timer.
    /// - Buffers: nothing; while one thread delivers, or while the observer pauses, at most 1,024 values wait.
    /// - Thread: that of the signal that is heard; the other one is subscribed to on the scheduler's, unless a value is
    ///   being delivered: then it follows on that thread.
    ///
    /// - Parameters:
    ///   - duration: how long the wait may be.
    ///   - mode: which wait.
    ///   - other: takes over after too long a wait.
    ///   - scheduler: measures the time and subscribes to `other`.
    @inlinable
    public func timeout(
        _ duration: Duration,
        _ mode: TimeoutMode = .between,
        fallingBackTo other: some Signal<Value, Failure>,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        DescribedSignal(
            FallbackSignal(upstream: TimeoutSignal(upstream: self, duration, mode, scheduler), other: other),
            { chain.appending(mode.name(duration, also: ", fallingBackTo: \(other.chain)")) }
        )
    }
}

/// How a signal that is waited for failed.
@frozen
@usableFromInline
enum WaitFailure<Failure: Error>: Error {
    case silence
    case failed(Failure)
}

extension TimeoutSignal where Failure == WaitFailure<Upstream.Failure> {
    /// Distinguishes silence from the source's own failure.
    @inlinable
    init(upstream: Upstream, _ duration: Duration, _ mode: TimeoutMode, _ scheduler: Time) {
        self.init(
            upstream: upstream,
            duration: duration,
            mode: mode,
            scheduler: scheduler,
            error: { .silence },
            convert: { .failed($0) }
        )
    }
}

/// Silence is an end.
@frozen
@usableFromInline
struct EndingInSilence<Input: Sendable, Failure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias InputFailure = WaitFailure<Failure>

    @usableFromInline let end: Termination<Failure>

    @inlinable
    init(_ end: Termination<Failure>) {
        self.end = end
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.next(value)
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<WaitFailure<Failure>>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        switch termination {
        case .completed: downstream.terminate(.completed)
        case .failed(.silence): downstream.terminate(end)
        case .failed(.failed(let failure)): downstream.terminate(.failed(failure))
        }
    }
}

/// A signal, and another one after its silence.
@frozen
@usableFromInline
struct FallbackSignal<Upstream: Signal, Other: Signal>: Signal
where Upstream.Value == Other.Value, Upstream.Failure == WaitFailure<Other.Failure> {
    @usableFromInline typealias Value = Other.Value
    @usableFromInline typealias Failure = Other.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let other: Other

    @inlinable
    init(upstream: Upstream, other: Other) {
        self.upstream = upstream
        self.other = other
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = SerialObserver(observer)
        output.resources.add(upstream.subscribe(FallbackObserver(output, Sender(output), other)))
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain }
    @usableFromInline var chain: Chain { upstream.chain }
}

/// Hears the signal that may fall silent.
@frozen
@usableFromInline
struct FallbackObserver<Other: Signal, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Other.Value == Downstream.Value, Other.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = WaitFailure<Downstream.Failure>
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let sender: Sender<Downstream>
    @usableFromInline let other: Other

    @inlinable
    init(_ output: SerialObserver<Downstream>, _ sender: Sender<Downstream>, _ other: Other) {
        self.output = output
        self.sender = sender
        self.other = other
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: output.terminate(.completed)
        case .failed(.failed(let failure)): output.terminate(.failed(failure))
        case .failed(.silence):
            output.resources.add(other.subscribe(RelayObserver(output, sender)))
        }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
