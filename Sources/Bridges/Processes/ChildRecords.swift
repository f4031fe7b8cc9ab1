public import Bus
public import Records

extension Signal where Value == ChildEvent {
    /// A child's lines and its end as records. A line of standard output has severity `info`, one of standard error `warning`, the end
    /// `notice`, or `err` if the child failed. The fields are `stream` (`output`, `errors`, `start`, `end`), `pid` of the start, `code` or
    /// `signal` of the end.
    ///
    /// See `records(named:time:_:)` of any signal.
    ///
    /// - Parameter name: the source's name.
    public consuming func records(named name: String = "child") -> some Signal<Record, Failure> {
        records(named: name) { event in
            switch event {
            case .started(let pid):
                RecordFields(
                    message: "started as process \(pid)",
                    severity: .debug,
                    ["stream": .text("start"), "pid": .int(Int64(pid))]
                )
            case .output(let line): RecordFields(message: line, severity: .info, ["stream": .text("output")])
            case .errors(let line): RecordFields(message: line, severity: .warning, ["stream": .text("errors")])
            case .ended(let status): RecordFields.end(status)
            }
        }
    }
}

extension RecordFields {
    fileprivate static func end(_ status: ProcessStatus) -> RecordFields {
        switch status {
        case .exited(let code):
            RecordFields(
                message: "\(status)",
                severity: code == 0 ? .notice : .error,
                ["stream": .text("end"), "code": .int(Int64(code))]
            )
        case .signaled(let signal, _):
            RecordFields(
                message: "\(status)",
                severity: .error,
                ["stream": .text("end"), "signal": .int(Int64(signal))]
            )
        }
    }
}
