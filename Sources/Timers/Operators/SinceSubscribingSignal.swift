public import Bus

/// A signal passed through a transducer that counts from the moment of subscribing.
@frozen
@usableFromInline
struct SinceSubscribingSignal<Upstream: Signal, Step: Transducer, Time: TimedScheduler>: Signal
where Step.Input == Upstream.Value, Step.InputFailure == Upstream.Failure {
    @usableFromInline typealias Value = Step.Output
    @usableFromInline typealias Failure = Step.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let name: String
    @usableFromInline let scheduler: Time
    @usableFromInline let begin: @Sendable (_ now: TimerInstant) -> Step

    @inlinable
    init(upstream: Upstream, name: String, scheduler: Time, begin: @escaping @Sendable (TimerInstant) -> Step) {
        self.upstream = upstream
        self.name = name
        self.scheduler = scheduler
        self.begin = begin
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.transduced(by: begin(scheduler.now)).subscribe(observer)
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending(Step.name) }
    @usableFromInline var chain: Chain { upstream.chain.appending(name) }
}
