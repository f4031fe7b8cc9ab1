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

/// One subscription to an operator that holds values back: the sender and the timer meet here.
///
/// Both keep it. The observer keeps it, too, while it has to report when it has room. When the source is dropped, the
/// held values are still sent at their time, and then the chain is freed.
@usableFromInline
final class HoldingSubscription<Step: HoldingStep, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where Step.Output == Downstream.Value {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let output: SerialObserver<HoldingStage<Step, Downstream>>
    @usableFromInline let scheduler: Time
    private let timer = SerialTimer()

    @usableFromInline
    init(_ output: SerialObserver<HoldingStage<Step, Downstream>>, _ scheduler: Time) {
        self.output = output
        self.scheduler = scheduler
        output.resources.add(timer)
    }

    deinit {
        output.abandon()
    }

    @usableFromInline
    func arm(at deadline: Int64) {
        timer.schedule(at: TimerInstant(nanoseconds: deadline), on: scheduler) { self.fire() }
    }

    private func fire() {
        perform { stage in stage?.wake(at: self.scheduler.now.nanoseconds, self) }
    }

    /// The observer, asked for the `number`th time, has room.
    func hasRoom(_ number: UInt) {
        perform { stage in stage?.hasRoom(number, at: self.scheduler.now.nanoseconds, self) }
    }

    /// Runs `action` in its turn; it returns stop when this was the last thing to do.
    private func perform(_ action: @escaping @Sendable (inout HoldingStage<Step, Downstream>?) -> Demand?) {
        output.perform { stage, _ in
            guard !self.output.isClosing, action(&stage) == .stop else { return }
            self.output.stop()
            self.output.terminate(.completed)
        }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        let now = scheduler.now.nanoseconds
        output.perform { stage, _ in
            // A source that was told to stop only confirms it.
            if self.output.isClosing || stage == nil { return self.output.terminate(termination) }
            if let end = stage?.end(termination, at: now, self) { self.output.terminate(end) }
        }
    }
}
