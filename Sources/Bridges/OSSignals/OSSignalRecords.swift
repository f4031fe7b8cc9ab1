public import Bus
public import Records

extension Signal where Value == OSSignal {
    /// OS signals as records, with the fields `number`, `name`, `code`, `pid`, `uid`, `value` and `status`.
    ///
    /// See `records(named:time:_:)` of any signal.
    ///
    /// - Parameter name: the source's name.
    public consuming func records(named name: String = "signal") -> some Signal<Record, Failure> {
        records(named: name) { signal in
            RecordFields(
                message: signal.description,
                severity: .notice,
                [
                    "number": .int(Int64(signal.number)), "name": .text(OSSignal.name(of: signal.number)),
                    "code": .int(Int64(signal.code)), "pid": .int(Int64(signal.pid)), "uid": .int(Int64(signal.uid)),
                    "value": .int(Int64(signal.value)), "status": .int(Int64(signal.status)),
                ]
            )
        }
    }
}
