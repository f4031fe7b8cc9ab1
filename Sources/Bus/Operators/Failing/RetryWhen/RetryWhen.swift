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

    @usableFromInline var chain: Chain { upstream.chain.appending("retry(when:)") }
}
