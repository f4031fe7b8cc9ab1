import Bus
import Timers

/// When following ends.
enum EndTime {
    /// How long after the last wanted time its entries are waited for: journald may write an entry late.
    private static var patience: Duration { .seconds(1) }

    /// Sends when a time has come.
    ///
    /// - Parameter until: in microseconds since 1970; `nil` for a run that ends by itself.
    static func signal(of until: Int64?) -> AnySignal<Void, Never>? {
        guard let until else { return nil }
        let (nanoseconds, isBeyond) = until.multipliedReportingOverflow(by: 1000)
        // In the year 2262 the clock's line ends.
        if isBeyond { return nil }
        let end = TimerInstant(nanoseconds: nanoseconds).advanced(by: patience)
        return Signals.timer(at: end, on: WallScheduler.shared).map { _ in }.eraseToAnySignal()
    }
}

extension AnySignal {
    /// The same until a time has come. Old records that are still being read then come first.
    ///
    /// - Parameters:
    ///   - until: in microseconds since 1970; `nil` for a run that ends by itself.
    ///   - isCaughtUp: whether a value follows the old records; `nil` for a source whose old records are not waited for.
    func ending(
        after until: Int64?,
        behind isCaughtUp: (@Sendable (Value) -> Bool)?
    ) -> AnySignal<Value, Failure> {
        guard let end = EndTime.signal(of: until) else { return self }
        guard let isCaughtUp else { return take(until: end).eraseToAnySignal() }
        return Signals.deferred {
            let caughtUp = Subject(of: Void.self)
            return on(next: { if isCaughtUp($0) { caughtUp.send(()) } })
                .take(until: caughtUp.take(first: 1).flatMap(.concat) { _ in end })
        }.eraseToAnySignal()
    }
}
