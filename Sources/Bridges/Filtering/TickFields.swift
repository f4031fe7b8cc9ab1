public import Filter
public import Timers

extension FieldTable where Subject == Tick {
    /// The fields of an interval's tick for an expression: its `index`, how many were `missed` before it, its
    /// `lateness`, and the clock's readings when it was `scheduled` and when it came, `actual`, as durations since
    /// the clock's zero.
    public static var tick: FieldTable<Tick> {
        FieldTable(
            [
                .int("index") { Int64($0.index) },
                .int("missed") { Int64($0.missed) },
                .duration("lateness") { $0.lateness },
                .duration("scheduled") { .nanoseconds($0.scheduled.nanoseconds) },
                .duration("actual") { .nanoseconds($0.actual.nanoseconds) },
            ]
        )
    }
}

extension ValueFilter where Value == Tick {
    /// A filter over `FieldTable.tick`.
    ///
    /// - Throws: `FilterError`, which describes the mistake in the expression.
    public init(_ expression: String) throws(FilterError) {
        try self.init(expression, fields: .tick)
    }
}
