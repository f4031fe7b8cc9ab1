public import Bus
public import Timers

extension Signal where Value == Tick {
    /// Ticks as records, with the fields `index`, `missed` and `lateness`.
    ///
    /// See `records(named:time:_:)` of any signal.
    ///
    /// - Parameter name: the source's name.
    public consuming func records(named name: String = "timer") -> some Signal<Record, Failure> {
        records(named: name) { tick in
            let missed = tick.missed == 0 ? "" : ", \(tick.missed) missed before it"
            return RecordFields(
                message: "tick \(tick.index)\(missed)",
                severity: tick.missed == 0 ? .info : .warning,
                [
                    "index": .int(Int64(tick.index)), "missed": .int(Int64(tick.missed)),
                    "lateness": .duration(tick.lateness),
                ]
            )
        }
    }
}
