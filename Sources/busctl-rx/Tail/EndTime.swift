import Bus
import Timers

/// The end of a run that goes on until a time has come.
enum EndTime {
    /// How long after the last wanted time its entries are waited for, in microseconds: journald may write an entry late.
    static let patience: Int64 = 1_000_000
}

extension AnySignal {
    /// The same until a time has come.
    ///
    /// - Parameter until: in microseconds since 1970; `nil` for a run that ends by itself.
    func ending(after until: Int64?) -> AnySignal<Value, Failure> {
        guard let until else { return self }
        let (nanoseconds, isBeyond) = until.multipliedReportingOverflow(by: 1000)
        // In the year 2262 the clock's line ends.
        if isBeyond { return self }
        let end = TimerInstant(nanoseconds: nanoseconds).advanced(by: .microseconds(EndTime.patience))
        return take(until: Signals.timer(at: end, on: WallScheduler.shared)).eraseToAnySignal()
    }
}
