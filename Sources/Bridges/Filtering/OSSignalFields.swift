public import Filter
public import OSSignalBridge

extension FieldTable where Subject == OSSignal {
    /// The fields of an OS signal for an expression: `number` and `name` (`SIGTERM` is a name for the number),
    /// `code`, `pid`, `uid`, `value`, `status`.
    public static var osSignal: FieldTable<OSSignal> {
        FieldTable(
            [
                .int("number") { Int64($0.number) },
                .text("name") { signal in OSSignal.namesByNumber[signal.number] },
                .int("code") { Int64($0.code) },
                .int("pid") { Int64($0.pid) },
                .int("uid") { Int64($0.uid) },
                .int("value") { Int64($0.value) },
                .int("status") { Int64($0.status) },
            ],
            constants: OSSignal.numbersByName.mapValues(Int64.init)
        )
    }
}

extension ValueFilter where Value == OSSignal {
    /// A filter over `FieldTable.osSignal`.
    ///
    /// - Throws: `FilterError`, which describes the mistake in the expression.
    public init(_ expression: String) throws(FilterError) {
        try self.init(expression, fields: .osSignal)
    }
}
