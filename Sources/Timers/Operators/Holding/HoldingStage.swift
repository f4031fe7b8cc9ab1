public import Bus

/// The state of an operator that holds values back, and the observer below it. It stands below a `SerialObserver` and
/// so gets values, timers and the end in one order, one at a time.
///
/// While the observer pauses it goes on taking values, as long as the state is not full, and sends the due
/// values when it is called back. So it answers a source with pause only when the state is full.
@frozen
@usableFromInline
struct HoldingStage<State: HoldingState, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where State.Output == Downstream.Value {
    // Its input is more than a value; see `next(_:at:_:)`.
    @usableFromInline typealias Value = Never
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var state: State
    @usableFromInline var downstream: Downstream
    /// The instant that the timer is set for; `.max` while it is not set. A deadline that moves to later leaves the
    /// timer as it is: the timer then fires too soon, checks, and is set again.
    @usableFromInline var armed = Int64.max
    /// The source has completed, and the completion waits for the held values.
    @usableFromInline var isEnding = false
    /// Held values no longer wait for their deadline.
    @usableFromInline var isFlushing = false
    /// Something is due, and the observer, which pauses, is to call this with the number of the request.
    @usableFromInline var callback: (@Sendable (UInt) -> Void)?
    /// How many times the observer was asked to call back; the last one is the one that counts.
    @usableFromInline var requests: UInt = 0

    @inlinable
    init(state: State, downstream: consuming Downstream) {
        self.state = state
        self.downstream = downstream
    }

    @inlinable
    mutating func next<Time>(
        _ value: State.Input,
        at now: Int64,
        _ subscription: HoldingSubscription<State, Downstream, Time>
    ) -> Demand {
        guard downstream.demand == .more, callback == nil else { return hold(value, at: now, subscription) }
        let output = state.next(value, at: now)
        arm(subscription)
        if let output, downstream.next(output) == .stop { return .stop }
        return .more
    }

    /// Takes a value while the observer pauses, or before it has called back.
    @usableFromInline
    mutating func hold<Time>(
        _ value: State.Input,
        at now: Int64,
        _ subscription: HoldingSubscription<State, Downstream, Time>
    ) -> Demand {
        if downstream.demand == .stop { return .stop }
        // The source goes on after a pause, so the observer has called back.
        if state.isFull, let output = state.flush(), downstream.next(output) == .stop { return .stop }
        state.hold(value, at: now)
        if serve(at: now, subscription) == .stop { return .stop }
        return state.isFull && callback != nil ? .pause : .more
    }

    /// The timer has fired; returns stop when this was the last thing to do.
    mutating func wake<Time>(at now: Int64, _ subscription: HoldingSubscription<State, Downstream, Time>) -> Demand {
        armed = .max
        return serve(at: now, subscription)
    }

    /// The observer has called back; returns stop when this was the last thing to do.
    mutating func calledBack<Time>(
        _ number: UInt,
        at now: Int64,
        _ subscription: HoldingSubscription<State, Downstream, Time>
    ) -> Demand {
        // It was asked again meanwhile, and will call again.
        guard number == requests else { return .more }
        callback = nil
        return serve(at: now, subscription)
    }

    /// The source has ended; returns the end to be heard now.
    mutating func end<Time>(
        _ termination: Termination<Failure>,
        at now: Int64,
        _ subscription: HoldingSubscription<State, Downstream, Time>
    ) -> Termination<Failure>? {
        // Its time had come before the end did.
        if serve(at: now, subscription) == .stop { return .completed }
        guard case .completed = termination, state.isHolding else { return termination }
        switch state.atCompletion {
        case .drop where state.deadline > now: return .completed
        case .flush: isFlushing = true
        case .drop, .wait: break
        }
        isEnding = true
        return serve(at: now, subscription) == .stop ? .completed : nil
    }

    /// Sends the due values, if the observer is ready, and arranges a call for the rest. Returns stop when nothing more is to
    /// come.
    private mutating func serve<Time>(
        at now: Int64,
        _ subscription: HoldingSubscription<State, Downstream, Time>
    ) -> Demand {
        while state.isHolding, isFlushing || state.deadline <= now {
            let demand = requestCall(subscription)
            if demand == .stop { return .stop }
            if demand == .pause { return .more }
            let output = isFlushing ? state.flush() : state.due(at: now)
            if let output, downstream.next(output) == .stop { return .stop }
        }
        arm(subscription)
        return isEnding && !state.isHolding ? .stop : .more
    }

    /// Whether the observer would take a value; if not, it is asked to call back.
    private mutating func requestCall<Time>(_ subscription: HoldingSubscription<State, Downstream, Time>) -> Demand {
        let demand = downstream.demand
        guard demand == .pause, callback == nil else { return demand }
        let callback: @Sendable (UInt) -> Void = { number in subscription.calledBack(number) }
        requests &+= 1
        let number = requests
        let answer = downstream.whenReady { callback(number) }
        if answer == .pause { self.callback = callback }
        return answer
    }

    @inlinable
    mutating func arm<Time>(_ subscription: HoldingSubscription<State, Downstream, Time>) {
        guard state.deadline < armed, callback == nil else { return }
        armed = state.deadline
        subscription.arm(at: state.deadline)
    }

    @usableFromInline
    mutating func next(_ value: Never) -> Demand {}

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    /// Whether a value would be taken, not whether any would be sent on.
    @inlinable
    var demand: Demand {
        let demand = downstream.demand
        return demand == .pause && !state.isFull ? .more : demand
    }

    /// The state is full. The observer keeps one request, and this one replaces it, so it serves both source and
    /// stage: the source first, because its queued values come before those of the stage.
    @usableFromInline
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guard let callback else { return downstream.whenReady(resume) }
        requests &+= 1
        let number = requests
        let answer = downstream.whenReady {
            resume()
            callback(number)
        }
        if answer != .pause { callback(number) }
        return answer
    }
}
