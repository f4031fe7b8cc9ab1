extension Signal {
    /// This signal, subscribed to again when it has failed and another signal says so.
    ///
    /// ```
    /// self, first       --1--x
    /// self, again               --1--2--|
    /// failures          -----x
    /// answers           --------·
    /// retry(when:)      --1-------1--2--|
    /// ```
    ///
    /// `handler` is called once per subscription, before the first attempt, with the failures as they come. The
    /// signal that it returns decides: each value, whatever it is, starts the next attempt, and an end is passed on
    /// at once. A value that comes while an attempt runs is ignored. (As in RxSwift and the Reactive Extensions.)
    ///
    /// With a timer in between, this is a retry that waits longer each time and gives up in the end:
    ///
    /// ```swift
    /// import Bus
    /// import Timers
    ///
    /// struct Unreachable: Error {}
    /// struct GaveUp: Error {}
    ///
    /// let connection = Signals.fail(Unreachable(), of: String.self)
    /// let answers = connection.retry(when: { failures in
    ///     failures.scan(0) { attempt, _ in attempt + 1 }.flatMap { attempt in
    ///         attempt > 5
    ///             ? Signals.fail(GaveUp(), of: Void.self).eraseToAnySignal()
    ///             : Signals.timer(after: .milliseconds(100 << attempt)).map { _ in }
    ///                 .promoteFailure(to: GaveUp.self).eraseToAnySignal()
    ///     }
    /// })
    /// ```
    ///
    /// A million attempts that fail and are answered at once need no more stack than one, and nothing is kept of a
    /// failed attempt.
    ///
    /// - Ends: when an attempt completes, or the answers do.
    /// - Fails: with the answers, never with the source.
    /// - Cancelling: ends the present attempt and the subscription to the answers.
    /// - Buffers: nothing; at most 1,024 values while the observer pauses or
    ///   another thread delivers. Keeps the source, to subscribe again:
    ///   dropping a hot one is then not enough to free the chain, nor is it while an answer is awaited.
    /// - Thread: that of the present attempt; the next one is subscribed to where the answer comes.
    ///
    /// - Parameter handler: makes the answers from the failures.
    @inlinable
    public consuming func retry<Answers: Signal>(
        when handler: @escaping @Sendable (_ failures: AnySignal<Failure, Never>) -> Answers
    ) -> some Signal<Value, Answers.Failure> {
        RetryWhenSignal(upstream: self, handler: handler)
    }
}

@frozen
@usableFromInline
struct RetryWhenSignal<Upstream: Signal, Answers: Signal>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Answers.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let handler: @Sendable (AnySignal<Upstream.Failure, Never>) -> Answers

    @inlinable
    init(upstream: Upstream, handler: @escaping @Sendable (AnySignal<Upstream.Failure, Never>) -> Answers) {
        self.upstream = upstream
        self.handler = handler
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let upstream = upstream
        let retrying = RetryWhenSubscription<Upstream.Failure, Downstream>(SerialObserver(observer)) {
            upstream.subscribe($0)
        }
        let failures = Subject(of: Upstream.Failure.self)
        let answers = handler(AnySignal(failures))
        retrying.output.resources.add(answers.subscribe(AnswerObserver<Answers.Value, _, _>(retrying)))
        retrying.start(reportingTo: failures)
        return retrying.output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("retry(when:)") }
    @usableFromInline var chain: Chain { upstream.chain.appending("retry(when:)") }
}

/// One subscription to a `retry(when:)`.
///
/// The subject of failures belongs to the attempt that runs, and so does, through it, the subscription to the
/// answers: when the source is dropped without an end, all of it is freed. While an answer is awaited the subject is
/// kept here.
@usableFromInline
final class RetryWhenSubscription<InputFailure: Error, Downstream: Observer & ~Copyable>: Sendable {
    @usableFromInline typealias Failures = Subject<InputFailure, Never>
    @usableFromInline typealias Start =
        @Sendable (consuming AttemptObserver<InputFailure, Downstream>) -> any Disposable

    @usableFromInline
    enum Phase: Sendable {
        /// An attempt runs.
        case trying
        /// It failed; the next value starts another.
        case waiting(Failures)
        /// Another is about to start.
        case starting(Failures)
    }

    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let current = SerialDisposable()
    @usableFromInline let starts = Trampoline()
    @usableFromInline let phase = Lock(Phase.trying)
    @usableFromInline let subscribe: Start

    @inlinable
    init(_ output: SerialObserver<Downstream>, _ subscribe: @escaping Start) {
        self.output = output
        self.subscribe = subscribe
        output.resources.add(current)
    }

    deinit {
        output.abandon()
    }

    @usableFromInline
    func start(reportingTo failures: Failures) {
        phase.withLock { $0 = .starting(failures) }
        goOn()
    }

    /// Starts the attempt that is due, once the output wants it.
    @usableFromInline
    func goOn() {
        // An answer that comes while an attempt is still being subscribed to is taken up in the same loop.
        starts.run {
            if output.demand == .pause, output.whenReady({ [self] in goOn() }) == .pause { return }
            let failures = phase.withLock { phase -> Failures? in
                guard case .starting(let failures) = phase else { return nil }
                phase = .trying
                return failures
            }
            guard let failures, !output.isClosing else { return }
            current.swap(subscribe(AttemptObserver(self, failures)))
        }
    }

    @usableFromInline
    func failed(_ failure: InputFailure, _ failures: Failures) {
        // An operator below that has stopped waits for its completion; this is the only sender left.
        if output.isClosing { return output.terminate(.completed) }
        phase.withLock { $0 = .waiting(failures) }
        failures.send(failure)
        // Disposed of meanwhile, the subject would wait for good.
        if output.isClosing { forget() }
    }

    @usableFromInline
    func answered() {
        let failures = phase.withLock { phase -> Failures? in
            guard case .waiting(let failures) = phase else { return nil }
            return failures
        }
        if let failures { start(reportingTo: failures) }
    }

    /// No attempt follows any more.
    @usableFromInline
    func forget() {
        let kept = phase.withLock { phase -> Phase in
            defer { phase = .trying }
            return phase
        }
        // Released after the lock: its subscribers may run any code.
        _ = kept
    }
}

/// Hears one attempt.
@frozen
@usableFromInline
struct AttemptObserver<InputFailure: Error, Downstream: Observer & ~Copyable>: InputObserver, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let retrying: RetryWhenSubscription<InputFailure, Downstream>
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let failures: Subject<InputFailure, Never>

    @inlinable
    init(_ retrying: RetryWhenSubscription<InputFailure, Downstream>, _ failures: Subject<InputFailure, Never>) {
        self.retrying = retrying
        self.failures = failures
        output = retrying.output
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: output.terminate(.completed)
        case .failed(let failure): retrying.failed(failure, failures)
        }
    }
}

/// Hears when to try again and when to give up.
@frozen
@usableFromInline
struct AnswerObserver<Value: Sendable, InputFailure: Error, Downstream: Observer & ~Copyable>: InputObserver,
    ~Copyable
{
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let retrying: RetryWhenSubscription<InputFailure, Downstream>
    @usableFromInline let output: SerialObserver<Downstream>

    @usableFromInline
    init(_ retrying: RetryWhenSubscription<InputFailure, Downstream>) {
        self.retrying = retrying
        output = retrying.output
    }

    @usableFromInline
    mutating func next(_ value: Value) -> Demand {
        retrying.answered()
        return output.demand
    }

    @usableFromInline
    mutating func lost(_ count: Int) {}

    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        output.terminate(termination)
        retrying.forget()
    }
}
