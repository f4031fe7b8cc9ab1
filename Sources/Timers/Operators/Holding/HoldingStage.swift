public import Bus

/// A step and the observer below it. It stands below a `SerialObserver` and so sees values, timers and the end in one
/// order, one at a time.
@frozen
@usableFromInline
struct HoldingStage<Step: HoldingStep, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Step.Output == Downstream.Value {
    // What it takes is more than a value; see `next(_:at:_:)`.
    @usableFromInline typealias Value = Never
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var step: Step
    @usableFromInline var downstream: Downstream
    /// The instant that the timer is set for; `.max` while it is not. A deadline that moves on leaves it as it is: the
    /// timer then comes too soon, looks, and is set again.
    @usableFromInline var armed = Int64.max
    /// The source has completed, and the completion waits for what is held.
    @usableFromInline var isEnding = false

    @inlinable
    init(step: Step, downstream: consuming Downstream) {
        self.step = step
        self.downstream = downstream
    }

    @inlinable
    mutating func next<Time>(
        _ value: Step.Input,
        at now: Int64,
        _ subscription: HoldingSubscription<Step, Downstream, Time>
    ) -> Demand {
        let output = step.next(value, at: now)
        arm(subscription)
        guard let output else { return downstream.demand }
        return downstream.next(output)
    }

    /// The timer has come; answers stop when this was the last there was to do.
    @usableFromInline
    mutating func wake<Time>(at now: Int64, _ subscription: HoldingSubscription<Step, Downstream, Time>) -> Demand {
        armed = .max
        let output = step.deadline <= now ? step.due(at: now) : nil
        arm(subscription)
        let demand = output.map { downstream.next($0) } ?? downstream.demand
        return isEnding && !step.isHolding ? .stop : demand
    }

    /// The source has ended; answers the end that is to be heard now.
    @usableFromInline
    mutating func end(_ termination: Termination<Failure>, at now: Int64) -> Termination<Failure>? {
        // Its time had come before the end did.
        if step.deadline <= now, let output = step.due(at: now), downstream.next(output) == .stop { return .completed }
        guard case .completed = termination else { return termination }
        switch step.atCompletion {
        case .drop: break
        case .flush:
            if let output = step.flush() { _ = downstream.next(output) }
        case .wait where step.isHolding:
            isEnding = true
            return nil
        case .wait: break
        }
        return .completed
    }

    @inlinable
    mutating func arm<Time>(_ subscription: HoldingSubscription<Step, Downstream, Time>) {
        guard step.deadline < armed else { return }
        armed = step.deadline
        subscription.arm(at: step.deadline)
    }

    @usableFromInline
    mutating func next(_ value: Never) -> Demand {}

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }
}
