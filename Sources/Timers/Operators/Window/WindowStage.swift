public import Bus

/// The window that is open, and the observer of windows. Stands below a `SerialObserver`, so values and the timer come
/// one at a time.
@frozen
@usableFromInline
struct WindowStage<Element: Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Downstream.Value == AnySignal<Element, Downstream.Failure> {
    // What it takes is more than a value; see `next(_:at:)`.
    @usableFromInline typealias Value = Never
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let grid: TickGrid
    @usableFromInline var downstream: Downstream
    @usableFromInline var window: Subject<Element, Failure>?
    /// When the open window closes.
    @usableFromInline var deadline: Int64

    @usableFromInline
    init(_ downstream: consuming Downstream, grid: TickGrid) {
        self.downstream = downstream
        self.grid = grid
        deadline = grid.tick(notBefore: grid.origin)
    }

    @inlinable
    mutating func next(_ value: Element, at now: Int64) -> Demand {
        // A value that comes when the window's time is over belongs to the next, however late the timer is.
        guard deadline > now || roll(at: now) == .more else { return .stop }
        window?.send(value)
        return downstream.demand
    }

    /// Closes the open window if its time is over, and opens the next.
    @usableFromInline
    mutating func roll(at now: Int64) -> Demand {
        guard deadline <= now else { return downstream.demand }
        // Not before the next instant: the window that begins now does not end now.
        deadline = grid.tick(notBefore: now.later(by: 1))
        window?.complete()
        return open()
    }

    @usableFromInline
    mutating func open() -> Demand {
        let window = Subject<Element, Failure>(failure: Failure.self)
        self.window = window
        return downstream.next(AnySignal(window))
    }

    @usableFromInline
    mutating func next(_ value: Never) -> Demand {}

    @usableFromInline
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: window?.complete()
        case .failed(let failure): window?.fail(failure)
        }
        downstream.terminate(termination)
    }

    @inlinable
    var demand: Demand { downstream.demand }
}
