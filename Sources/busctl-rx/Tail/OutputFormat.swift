import JournalBridge
import Records

/// The value of `-o`.
struct OutputFormat {
    /// journalctl's format; `nil` for one that journalctl does not have.
    let format: JournalFormat?

    init(_ format: JournalFormat) {
        self.format = format
    }

    init?(argument: String) {
        format = JournalFormat(rawValue: argument)
        if format == nil, argument != Self.logfmt { return nil }
    }

    private static let logfmt = "logfmt"

    static var names: [String] { JournalFormat.allCases.map(\.rawValue) + [logfmt] }

    /// As it is typed.
    var name: String { format?.rawValue ?? Self.logfmt }

    var isJSON: Bool {
        switch format {
        case .json, .jsonPretty, .jsonSequence, .jsonEvents: true
        default: false
        }
    }

    /// Whether it is text for people, and no program takes it apart.
    var isForPeople: Bool {
        switch format {
        case .export, .json, .jsonPretty, .jsonSequence, .jsonEvents, nil: false
        default: true
        }
    }

    /// The format for records of any source; `nil` where there is none.
    var recordFormat: RecordFormat? {
        guard let format else { return .logfmt }
        return switch format {
        case .short: .line(.classic)
        case .shortPrecise: .line(.precise)
        case .shortISO: .line(.iso)
        case .shortISOPrecise: .line(.isoPrecise)
        case .shortFull: .line(.full)
        case .shortUnix: .line(.unix)
        case .cat: .message
        case .verbose: .verbose
        case .json: .json
        case .jsonPretty: .jsonPretty
        case .jsonSequence: .jsonSequence
        case .jsonEvents: .jsonEvents
        default: nil
        }
    }
}
