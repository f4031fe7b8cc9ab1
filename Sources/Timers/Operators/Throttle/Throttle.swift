public import Bus

extension Signal {
    /// At most one value in each `duration`: the value that opens a window of that length, and the last one in it.
    ///
    /// ```
    /// self                             -12-3--------4-----5-6|
    /// throttle(4)                      -1---3-------4-----5---(6|)
    /// throttle(4, edges: .leading)     -1-----------4-----5--|
    /// throttle(4, edges: .trailing)    -----3-----------4---5---(6|)
    /// throttle(4, choosing: .first)    -1---2-------4-----5---(6|)
    /// ```
    ///
    /// A value that comes while no window is open opens one and is sent at once (unless only the trailing edge is
    /// wanted). At the window's end, the chosen one of the values in it is sent, and opens the next window; a window
    /// without a value opens none, so the operator sleeps while the source is silent. Two values are never sent
    /// closer than `duration` to each other. With a duration of zero or less every value passes; with one beyond the
    /// clock's range the first window never ends.
    ///
    /// While the observer pauses, a value whose time has come waits, and later values count as coming in its
    /// window: the chosen one is sent when the observer is ready, and opens the next window. The source is not paused.
    ///
    /// (RxSwift and Combine complete when the trailing value is due, as this does by default; ReactiveSwift drops it
    /// and completes at once. ReactiveCocoa's `throttle` is ``debounce(_:edge:maxWait:atCompletion:on:)``.)
    ///
    /// - Ends: with the source, once the held value was sent at its time; sooner if `atCompletion` says so. When the
    ///   source is dropped, the held value still comes at its time.
    /// - Fails: with the source, at once; the held value is dropped.
    /// - Cancelling: ends the source's subscription and drops the held value.
    /// - Buffers: one value. Values that do not pass are no loss and are not counted.
    /// - Thread: the leading edge comes on the source's, the trailing one on the scheduler's, unless the source sends
    ///   again before a late scheduler runs; a value that waited during a pause, on the thread that ended the pause.
    ///
    /// - Parameters:
    ///   - duration: how long a window is.
    ///   - edges: where in a window a value passes.
    ///   - choice: which value passes at the trailing edge.
    ///   - atCompletion: what happens to the held value when the source completes.
    ///   - scheduler: measures the time and delivers trailing values.
    @inlinable
    @inline(__always)
    public consuming func throttle(
        _ duration: Duration,
        edges: ThrottleEdges = .both,
        choosing choice: ThrottleChoice = .latest,
        atCompletion: AtCompletion = .wait,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        HoldingSignal(
            upstream: self,
            state: Throttling(
                interval: duration.saturatedNanoseconds,
                edges: edges,
                choice: choice,
                atCompletion: atCompletion
            ),
            scheduler: scheduler
        )
    }
}

/// The edges of a throttle's window at which a value passes.
public enum ThrottleEdges: Sendable, Hashable {
    /// Only at the window's beginning: the value that opens it, at once.
    case leading
    /// Only at the window's end: one of the values that came in it.
    case trailing
    /// At both.
    case both
}

/// The value of a throttle's window that passes at its end.
public enum ThrottleChoice: Sendable, Hashable {
    /// The first one that came in the window.
    case first
    /// The last one that came in the window.
    case latest
}
