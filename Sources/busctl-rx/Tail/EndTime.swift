import Bus
import Timers

extension AnySignal {
    /// How long after the last wanted time its entries are waited for: journald may write an entry late.
    private static var patience: Duration { .seconds(1) }

    /// The same until a time has come.
    ///
    /// - Parameter until: in microseconds since 1970; `nil` for a run that ends by itself.
    func ending(after until: Int64?) -> AnySignal<Value, Failure> {
        guard let until else { return self }
        let (nanoseconds, isBeyond) = until.multipliedReportingOverflow(by: 1000)
        // In the year 2262 the clock's line ends.
        if isBeyond { return self }
        let end = TimerInstant(nanoseconds: nanoseconds).advanced(by: Self.patience)
        return take(until: Signals.timer(at: end, on: WallScheduler.shared)).eraseToAnySignal()
    }
}
