public import Bus

/// The open window, and the observer of windows. It stands below a `SerialObserver`, so values and the timer come one
/// at a time.
@frozen
@usableFromInline
struct WindowStage<Element: Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Downstream.Value == AnySignal<Element, Downstream.Failure> {
    // Its input is more than a value; see `next(_:at:)`.
    @usableFromInline typealias Value = Never
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let grid: TickGrid
    @usableFromInline var downstream: Downstream
    /// The open window; none until the observer is ready for the first.
    @usableFromInline var window: Subject<Element, Failure>?
    /// The open window's end; before any window, the first one's start.
    @usableFromInline var deadline: Int64
    /// The closure to call when a subscriber of the open window is ready, or when the next window opens.
    @usableFromInline var resume: OneCall?

    @usableFromInline
    init(_ downstream: consuming Downstream, grid: TickGrid) {
        self.downstream = downstream
        self.grid = grid
        deadline = grid.origin
    }

    @inlinable
    mutating func next(_ value: Element, at now: Int64, in output: SerialObserver<Self>) -> Demand {
        // A value that comes when the window's time is over belongs to the next, however late the timer is.
        if deadline <= now, roll(at: now, in: output) == .stop { return .stop }
        if let window {
            window.send(value)
        } else {
            // Another sender has made the observer pause before the first window.
            downstream.lost(1)
        }
        return demand
    }

    /// Closes the open window if its time is over, and opens the next, unless the observer pauses.
    ///
    /// - Parameter output: stands above; a window's subscriber, too, may dispose of it.
    @usableFromInline
    mutating func roll(at now: Int64, in output: SerialObserver<Self>) -> Demand {
        let demand = downstream.demand
        guard deadline <= now, demand == .more else { return demand }
        // Not before the next instant: the window that begins now must not end now.
        deadline = grid.tick(notBefore: now.later(by: 1))
        window?.complete()
        if output.isClosing { return .stop }
        let demandForWindows = open()
        // No subscriber of the new one pauses yet.
        resume.take()?.call()
        return output.isClosing ? .stop : demandForWindows
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
    mutating func lost(_ count: Int) {
        if let window { window.sendLoss(of: count) } else { downstream.lost(count) }
    }

    /// The source has ended, and with it the open window.
    @usableFromInline
    mutating func close(_ termination: Termination<Failure>) {
        // None opens any more.
        deadline = .max
        switch termination {
        case .completed: window.take()?.complete()
        case .failed(let failure): window.take()?.fail(failure)
        }
    }

    /// A window is still open if the observer wants no more of them.
    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        let window = window
        downstream.terminate(termination)
        window?.complete()
    }

    /// Whether the open window's subscribers would take a value.
    @inlinable
    var demand: Demand {
        if downstream.demand == .stop { return .stop }
        guard let window else { return downstream.demand }
        return window.demand == .pause ? .pause : .more
    }

    @usableFromInline
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let call = OneCall(resume)
        let answer = window?.whenReady({ call.call() }) ?? downstream.whenReady { call.call() }
        guard answer == .pause else { return downstream.demand == .stop ? .stop : .more }
        self.resume = call
        return .pause
    }
}

/// A closure that several may call and that runs once.
@usableFromInline
final class OneCall: Sendable {
    private let closure: Lock<(@Sendable () -> Void)?>

    init(_ closure: @escaping @Sendable () -> Void) {
        self.closure = Lock(closure)
    }

    func call() {
        let closure = closure.withLock { $0.take() }
        closure?()
    }
}
