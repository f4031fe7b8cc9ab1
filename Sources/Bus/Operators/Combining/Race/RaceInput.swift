/// The downstream of a race, until a contender has won it.
@usableFromInline
final class RacePrize<Downstream: Observer & ~Copyable>: @unchecked Sendable {
    // Touched by the winner alone, of whom there is one.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

    @inlinable
    init(_ downstream: consuming Downstream) {
        self.downstream = consume downstream
    }
}

/// Hears one contender. After winning, it owns the downstream, and an event needs neither a lock nor a place in a
/// queue.
@frozen
@usableFromInline
struct RaceInput<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let contender: Int
    @usableFromInline let prize: RacePrize<Downstream>
    @usableFromInline let handles: RaceHandles
    @usableFromInline var downstream: Downstream?
    /// The number of values lost above before its first event.
    @usableFromInline var lost = 0

    @inlinable
    init(_ contender: Int, _ prize: RacePrize<Downstream>, _ handles: RaceHandles) {
        self.contender = contender
        self.prize = prize
        self.handles = handles
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if downstream == nil { win() }
        if handles.isDisposed { return .stop }
        return downstream?.next(value) ?? .stop
    }

    @usableFromInline
    mutating func win() {
        guard handles.win(contender) else { return }
        downstream = prize.downstream.take()
        if lost > 0, !handles.isDisposed { downstream?.lost(lost) }
    }

    @usableFromInline
    mutating func lost(_ count: Int) {
        if downstream == nil {
            lost += count
        } else if !handles.isDisposed {
            downstream?.lost(count)
        }
    }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        if downstream == nil { win() }
        if handles.isDisposed { return }
        downstream.take()?.terminate(termination)
    }

    @inlinable
    var demand: Demand {
        if handles.isDisposed { return .stop }
        switch downstream {
        case .some(let downstream): return downstream.demand
        case .none: return handles.isDecided ? .stop : .more
        }
    }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        handles.isDisposed || downstream == nil ? demand : downstream?.whenReady(resume) ?? .stop
    }
}
