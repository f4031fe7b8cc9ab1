public import Bus

/// A signal passed through a ``HoldingState``.
@frozen
@usableFromInline
struct HoldingSignal<Upstream: Signal, State: HoldingState, Time: TimedScheduler>: Signal
where State.Input == Upstream.Value {
    @usableFromInline typealias Value = State.Output
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let state: State
    @usableFromInline let scheduler: Time

    @inlinable
    init(upstream: Upstream, state: State, scheduler: Time) {
        self.upstream = upstream
        self.state = state
        self.scheduler = scheduler
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        var state = state
        state.start(at: scheduler.now.nanoseconds)
        let output = SerialObserver(HoldingStage(state: state, downstream: observer))
        output.resources.add(upstream.subscribe(HoldingInput(HoldingSubscription(output, scheduler))))
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending(State.name) }
    @usableFromInline var chain: Chain { upstream.chain.appending(state.name) }
}

/// Hears the source.
@frozen
@usableFromInline
struct HoldingInput<State: HoldingState, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Observer, ~Copyable
where State.Output == Downstream.Value {
    @usableFromInline typealias Value = State.Input
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let subscription: HoldingSubscription<State, Downstream, Time>
    // Beside `subscription`, which has them too: reached through another object they would be retained for every value.
    @usableFromInline let output: SerialObserver<HoldingStage<State, Downstream>>
    @usableFromInline let scheduler: Time

    @inlinable
    init(_ subscription: HoldingSubscription<State, Downstream, Time>) {
        self.subscription = subscription
        output = subscription.output
        scheduler = subscription.scheduler
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        // The time when it came, also when it has to wait for the right to deliver.
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
/// Both keep it. The observer keeps it, too, while it has to report when it is ready. When the source is dropped, the
/// held values are still sent at their time, and then the chain is freed.
@usableFromInline
final class HoldingSubscription<State: HoldingState, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where State.Output == Downstream.Value {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let output: SerialObserver<HoldingStage<State, Downstream>>
    @usableFromInline let scheduler: Time
    private let timer = SerialTimer()

    @usableFromInline
    init(_ output: SerialObserver<HoldingStage<State, Downstream>>, _ scheduler: Time) {
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

    /// The observer, asked for the `number`th time, has called back.
    func calledBack(_ number: UInt) {
        perform { stage in stage?.calledBack(number, at: self.scheduler.now.nanoseconds, self) }
    }

    /// Runs `action` with the right to deliver; it returns stop when this was the last thing to do.
    private func perform(_ action: @escaping @Sendable (inout HoldingStage<State, Downstream>?) -> Demand?) {
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
            // A source that was asked to stop only confirms it.
            if self.output.isClosing || stage == nil { return self.output.terminate(termination) }
            if let end = stage?.end(termination, at: now, self) { self.output.terminate(end) }
        }
    }
}
