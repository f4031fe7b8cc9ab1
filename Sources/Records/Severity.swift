/// How severe an event is, by the numbers of syslog (RFC 5424, section 6.2.1): the lower, the more severe.
///
/// They are compared by these numbers, as in a filter: `severity <= .error` is an error or worse.
public enum Severity: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// 0: the system cannot be used.
    case emergency
    /// 1: somebody has to act at once.
    case alert
    /// 2: an essential part has failed. Loggers often call it `fatal`.
    case critical
    /// 3: an operation has failed.
    case error
    /// 4: it may become an error if nothing is done.
    case warning
    /// 5: normal, but worth noticing.
    case notice
    /// 6: normal operation.
    case info
    /// 7: details for the program's developers, and what loggers call `trace`.
    case debug

    public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }

    /// The short name: `emerg`, `alert`, `crit`, `err`, `warning`, `notice`, `info`, `debug`.
    public var name: String { Self.names[rawValue] }

    private static let names = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"]

    /// The severity for a name in log files, in capital or small letters: `error`, `WARN`, `fatal`, `trace`; or a
    /// number of syslog. `nil` for any other word.
    public init?(name: some Collection<UInt8>) {
        guard name.count <= 13 else { return nil }
        let small = String(decoding: name.lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        guard let severity = Self.known[small] else { return nil }
        self = severity
    }

    /// A level of a logger that counts in tens (bunyan, pino): 10 trace, 20 debug, 30 info, 40 warn, 50 error, 60
    /// fatal.
    public init?(level: Int64) {
        switch level {
        case 0...7: self.init(rawValue: Int(level))
        case 10, 20: self = .debug
        case 30: self = .info
        case 40: self = .warning
        case 50: self = .error
        case 60: self = .critical
        default: return nil
        }
    }

    /// The severity in a log file: a name, or a number of either kind.
    init?(logged text: [UInt8]) {
        guard
            let severity = Severity(name: text)
                ?? Int64(String(decoding: text, as: UTF8.self)).flatMap(Severity.init(level:))
        else { return nil }
        self = severity
    }

    /// A number of syslog, as the text of a journal's field.
    package init?(digit text: UnsafeRawBufferPointer) {
        guard text.count == 1, (0x30...0x37).contains(text[0]) else { return nil }
        self.init(rawValue: Int(text[0]) - 0x30)
    }

    private static let known: [String: Severity] = {
        var known: [String: Severity] = [
            "emergency": .emergency, "panic": .emergency, "critical": .critical, "fatal": .critical, "error": .error,
            "eror": .error, "warn": .warning, "information": .info, "informational": .info, "dbug": .debug,
            "trace": .debug, "verbose": .debug,
        ]
        for severity in allCases {
            known[severity.name] = severity
            known["\(severity.rawValue)"] = severity
        }
        return known
    }()
}
