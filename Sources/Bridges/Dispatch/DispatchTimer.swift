public import Bus
public import Dispatch

extension Signals {
    /// A timer of Dispatch's. Cold: every subscription has one of its own.
    ///
    /// ```
    /// dispatchTimer(deadline: .now() + .seconds(2), repeating: .seconds(2))  --1--1--1--1
    /// the queue is busy for three intervals                                  --1--------3--1
    /// ```
    ///
    /// Each value says how many firings it stands for: one, or as many as there were while the queue was busy or the
    /// observer paused. Firings keep to the deadline plus multiples of the interval and do not drift. On Linux
    /// Dispatch does not use leeway. `interval(every:)` in `Timers` reports more (when it was due, when it came),
    /// costs less, and knows virtual time; use this one in programs that need Dispatch's timers.
    ///
    /// - Ends: after the deadline, unless the timer repeats.
    /// - Fails: when the system has no descriptor left for Dispatch's first timer.
    /// - Cancelling: cancels the timer.
    /// - Pausing: suspends the timer. The first value after that says how many firings there were meanwhile.
    /// - Buffers: nothing; firings are counted.
    /// - Thread: on `queue`.
    ///
    /// - Parameters:
    ///   - deadline: when it first fires. `DispatchTime` stands still while the machine is suspended.
    ///   - interval: between firings; it fires once by default. It is at least a nanosecond.
    ///   - queue: where it fires.
    public static func dispatchTimer(
        deadline: DispatchTime,
        repeating interval: DispatchTimeInterval = .never,
        on queue: DispatchQueue
    ) -> some Signal<Int, DispatchError> {
        timer(repeats: interval != .never, on: queue) { $0.schedule(deadline: deadline, repeating: interval) }
    }

    /// A timer of Dispatch's on the wall clock, which follows when the clock is set. See
    /// ``Bus/Signals/dispatchTimer(deadline:repeating:on:)``.
    public static func dispatchTimer(
        wallDeadline: DispatchWallTime,
        repeating interval: DispatchTimeInterval = .never,
        on queue: DispatchQueue
    ) -> some Signal<Int, DispatchError> {
        timer(repeats: interval != .never, on: queue) { $0.schedule(wallDeadline: wallDeadline, repeating: interval) }
    }

    private static func timer(
        repeats: Bool,
        on queue: DispatchQueue,
        _ schedule: @escaping @Sendable (any DispatchSourceTimer) -> Void
    ) -> some Signal<Int, DispatchError> {
        create(of: Int.self, failure: DispatchError.self) { emitter in
            do throws(DispatchError) {
                try DispatchResources.check()
            } catch {
                emitter.fail(error)
                return nil
            }
            guard emitter.demand != .stop else { return nil }
            let source = DispatchSource.makeTimerSource(queue: queue)
            schedule(source)
            return SourceRun(source) { run, firings in
                DispatchResources.served()
                guard repeats else {
                    emitter.send(firings)
                    return emitter.complete()
                }
                emitter.send(firings, from: run)
            }
        }
        .named("dispatchTimer")
    }
}
