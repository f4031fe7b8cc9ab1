import Glibc
import Records

/// The place of a journal entry's field in a log record.
struct OTLPField: Sendable {
    enum Use: Sendable {
        case body, severity, time, trace, span
        /// An attribute of the record.
        case attribute(StaticString)
        /// The same, as an integer.
        case number(StaticString)
        /// An attribute of the resource.
        case resource(StaticString)
        /// An attribute with the field's own name that may name the service, too.
        case unit, identifier
        /// An attribute that may name the service, too.
        case command(StaticString)
    }

    let name: StaticString
    let use: Use

    private init(_ name: StaticString, _ use: Use) {
        self.name = name
        self.use = use
    }

    /// The article "Journals in OpenTelemetry" has this table, too.
    private static let all: [OTLPField] = [
        OTLPField("MESSAGE", .body), OTLPField("PRIORITY", .severity), OTLPField("_SOURCE_REALTIME_TIMESTAMP", .time),
        OTLPField("TRACE_ID", .trace), OTLPField("SPAN_ID", .span), OTLPField("_SYSTEMD_UNIT", .unit),
        OTLPField("SYSLOG_IDENTIFIER", .identifier),
        OTLPField("_HOSTNAME", .resource("host.name")), OTLPField("_MACHINE_ID", .resource("host.id")),
        OTLPField("CODE_FILE", .attribute("code.file.path")), OTLPField("CODE_LINE", .number("code.line.number")),
        OTLPField("CODE_FUNC", .attribute("code.function.name")),
        OTLPField("_PID", .number("process.pid")), OTLPField("_COMM", .command("process.executable.name")),
        OTLPField("_EXE", .attribute("process.executable.path")),
        OTLPField("_CMDLINE", .attribute("process.command_line")), OTLPField("_UID", .number("process.user.id")),
        OTLPField("TID", .number("thread.id")), OTLPField("SYSLOG_FACILITY", .number("syslog.facility.code")),
    ]

    static func use(of name: UnsafeRawBufferPointer) -> Use? {
        guard let start = name.baseAddress else { return nil }
        for field in all where field.name.utf8CodeUnitCount == name.count {
            if memcmp(start, field.name.utf8Start, name.count) == 0 { return field.use }
        }
        return nil
    }
}

/// OpenTelemetry's severity of each syslog priority, from its
/// [table](https://opentelemetry.io/docs/specs/otel/logs/data-model-appendix/#appendix-b-severitynumber-example-mappings), and the
/// priority's own name.
struct OTLPSeverity {
    let number: Int64
    let text: String

    init?(priority: UnsafeRawBufferPointer) {
        guard let severity = Severity(digit: priority) else { return nil }
        self.init(severity)
    }

    init(_ severity: Severity) {
        (number, text) = (Self.numbers[severity.rawValue], severity.name)
    }

    func write(into record: inout ProtobufWriter) {
        record.write(number, field: OTLPRecord.Field.severityNumber)
        record.write(Array(text.utf8), field: OTLPRecord.Field.severityText)
    }

    private static let numbers: [Int64] = [21, 19, 18, 17, 13, 10, 9, 5]
}
