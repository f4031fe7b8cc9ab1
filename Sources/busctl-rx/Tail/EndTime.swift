import Bus
import Timers

extension AnySignal {
    /// How long after the last wanted time its entries are waited for: journald may write an entry late.
    private static var patience: Duration { .seconds(1) }

    /// The same until a time has come. Old records that are still being read then come first.
    ///
    /// - Parameters:
    ///   - until: in microseconds since 1970; `nil` for a run that ends by itself.
    ///   - isCaughtUp: whether a value follows the old records; `nil` for a source whose old records are not waited for.
    func ending(
        after until: Int64?,
        behind isCaughtUp: (@Sendable (Value) -> Bool)?
    ) -> AnySignal<Value, Failure> {
        guard let until else { return self }
        let (nanoseconds, isBeyond) = until.multipliedReportingOverflow(by: 1000)
        // In the year 2262 the clock's line ends.
        if isBeyond { return self }
        let end = TimerInstant(nanoseconds: nanoseconds).advanced(by: Self.patience)
        let timer = Signals.timer(at: end, on: WallScheduler.shared)
        guard let isCaughtUp else { return take(until: timer).eraseToAnySignal() }
        return Signals.deferred {
            let caughtUp = Subject(of: Void.self)
            return on(next: { if isCaughtUp($0) { caughtUp.send(()) } })
                .take(until: caughtUp.take(first: 1).flatMap(.concat) { _ in timer })
        }.eraseToAnySignal()
    }
}
