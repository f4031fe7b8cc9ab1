public import Bus

/// A signal passed through a ``HoldingStep``.
@frozen
@usableFromInline
struct HoldingSignal<Upstream: Signal, Step: HoldingStep, Time: TimedScheduler>: Signal
where Step.Input == Upstream.Value {
    @usableFromInline typealias Value = Step.Output
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let step: Step
    @usableFromInline let scheduler: Time

    @inlinable
    init(upstream: Upstream, step: Step, scheduler: Time) {
        self.upstream = upstream
        self.step = step
        self.scheduler = scheduler
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        var step = step
        step.start(at: scheduler.now.nanoseconds)
        let output = SerialObserver(HoldingStage(step: step, downstream: observer))
        output.resources.add(upstream.subscribe(HoldingInput(HoldingSubscription(output, scheduler))))
        return output.handle
    }

    @usableFromInline var chain: Chain { upstream.chain.appending(step.name) }
}

/// Hears the source.
@frozen
@usableFromInline
struct HoldingInput<Step: HoldingStep, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Observer, ~Copyable
where Step.Output == Downstream.Value {
    @usableFromInline typealias Value = Step.Input
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let subscription: HoldingSubscription<Step, Downstream, Time>
    // Beside `subscription`, which has them too: reached through another object they would be retained for every value.
    @usableFromInline let output: SerialObserver<HoldingStage<Step, Downstream>>
    @usableFromInline let scheduler: Time

    @inlinable
    init(_ subscription: HoldingSubscription<Step, Downstream, Time>) {
        self.subscription = subscription
        output = subscription.output
        scheduler = subscription.scheduler
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        // The time when it came, also when it has to wait for its turn.
        let now = scheduler.now.nanoseconds
        let subscription = subscription
        return output.send(
            { stage in stage.next(value, at: now, subscription) },
            orLater: { { stage in stage.next(value, at: now, subscription) } }
        )
    }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { subscription.terminate(termination) }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
