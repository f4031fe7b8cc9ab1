extension RaceHandles {
    /// The signal that sends the contenders. It can win only by ending before there is one.
    @usableFromInline static var outer: Int { 1 }
}

/// Hears the values that are to become contenders.
@frozen
@usableFromInline
struct RaceOuterObserver<Value: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let prize: RacePrize<Downstream>
    @usableFromInline let handles: RaceHandles
    @usableFromInline let transform: @Sendable (Value) -> Inner
    /// The number of the last contender.
    @usableFromInline var contender = RaceHandles.outer

    @inlinable
    init(
        _ prize: RacePrize<Downstream>,
        _ handles: RaceHandles,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) {
        self.prize = prize
        self.handles = handles
        self.transform = transform
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if demand == .stop { return .stop }
        contender += 1
        handles.add(transform(value).subscribe(RaceInput(contender, prize, handles)), for: contender)
        return demand
    }

    /// A lost value would have been one more contender.
    @inlinable
    mutating func lost(_ count: Int) {}

    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        // A contender decides how it ends, unless there is none.
        if case .completed = termination, contender > RaceHandles.outer { return }
        guard handles.win(RaceHandles.outer), !handles.isDisposed else { return }
        prize.downstream.take()?.terminate(termination)
    }

    @inlinable
    var demand: Demand { handles.isDecided || handles.isDisposed ? .stop : .more }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}
