import JournalBridge
import RecordSources

/// The value of `--from`: a kind of source and which, as in `export:-`, `lines:/var/log/syslog` or `every:10s`.
struct SourceArgument {
    let source: any RecordSource
    /// As it is typed.
    let text: String
    /// The source's name, if one was given.
    var label: String?

    init(argument: String) throws {
        source = try SourceKinds.standard.source(argument)
        text = argument
    }

    /// The value of `--label`: `NAME=SOURCE`.
    init(labelled argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 64 else {
            throw BadValue(description: "write a name, = and a source, as in web=lines:/var/log/nginx/error.log")
        }
        try self.init(argument: parts[1])
        label = parts[0]
    }

    /// The journal, if it is one of this machine.
    var journal: JournalSource? { (source as? JournalRecords)?.journal }
}

/// The tap of a program, as it is typed: the path of its socket, with or without `unix:`, or its name.
struct TapArgument: Equatable {
    let path: String

    init(argument: String) throws {
        path = try TapRecords.socket(named: argument.hasPrefix("unix:") ? String(argument.dropFirst(5)) : argument)
    }
}
