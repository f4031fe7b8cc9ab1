public import Bus

/// A signal whose values stand in a ``WaitingLine``.
@frozen
@usableFromInline
struct LineSignal<Upstream: Signal, Step: Pace, Time: TimedScheduler>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let step: Step
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Failure>
    /// Whether a failure stands in line as well.
    @usableFromInline let holdsFailures: Bool
    @usableFromInline let scheduler: Time

    @inlinable
    init(
        upstream: Upstream,
        step: Step,
        limit: Int,
        overflow: Overflow<Failure>,
        holdsFailures: Bool,
        scheduler: Time
    ) {
        self.upstream = upstream
        self.step = step
        self.limit = limit
        self.overflow = overflow
        self.holdsFailures = holdsFailures
        self.scheduler = scheduler
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = SerialObserver(observer)
        let subscription = LineSubscription(
            output,
            WaitingLine(step, limit: limit, overflow: overflow),
            scheduler
        )
        output.resources.add(upstream.subscribe(LineInput(subscription, holdsFailures: holdsFailures)))
        return output.handle
    }

    @usableFromInline var chain: Chain { upstream.chain.appending(step.name) }
}

/// Hears the source.
@frozen
@usableFromInline
struct LineInput<Step: Pace, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let subscription: LineSubscription<Step, Downstream, Time>
    @usableFromInline let holdsFailures: Bool

    @inlinable
    init(_ subscription: LineSubscription<Step, Downstream, Time>, holdsFailures: Bool) {
        self.subscription = subscription
        self.holdsFailures = holdsFailures
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { subscription.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { subscription.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        if case .failed = termination, !holdsFailures {
            subscription.terminateNow(termination)
        } else {
            subscription.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { subscription.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { subscription.whenReady(resume) }
}
