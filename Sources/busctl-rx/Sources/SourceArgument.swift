import DBusBridge
import Filter
import Glibc
import JournalBridge
import OSSignalBridge
import Timers

/// The value of `--from`: a kind of source and which, as in `export:-`, `lines:/var/log/syslog` or `every:10s`.
struct SourceArgument: Equatable {
    enum Source: Equatable {
        case journal(JournalSource)
        /// The journal export format; `-` is standard input.
        case export(path: String)
        case json(path: String)
        case logfmt(path: String)
        case lines(path: String)
        case signals([CInt])
        case every(Duration)
        case calendar(CalendarSchedule)
        case run([String])
        case changes(path: String)
        case tap(path: String)
        case dbus(DBusAddress)
        case nats(NATSArgument)
        case remote(RemoteJournal)
    }

    let kind: SourceKind
    let source: Source
    /// As it is typed.
    let text: String
    /// The source's name, if one was given.
    var label: String?

    init(argument: String) throws {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = SourceKind(rawValue: parts[0]) else {
            if parts.count > 1, let nearest = Spelling.nearest(to: parts[0], among: SourceKind.allCases.map(\.rawValue))
            {
                throw BadValue(description: "did you mean \(nearest):\(parts[1])?")
            }
            throw BadValue(
                description: "write a kind of source and, behind a colon, which: \(Self.kinds). "
                    + "'busctl-rx sources' lists them"
            )
        }
        self.kind = kind
        text = argument
        let operand = parts.count > 1 ? parts[1] : nil
        guard kind.operand == nil ? operand == nil : operand?.isEmpty == false else {
            throw BadValue(
                description: kind.operand == nil
                    ? "nothing may stand behind '\(kind.rawValue)'"
                    : "'\(kind.rawValue)' needs something behind it, as in \(kind.example)"
            )
        }
        source = try Self.source(kind, operand ?? "")
    }

    /// A journal that was named by an option of its own.
    init(_ journal: JournalSource) {
        kind = .journal
        source = .journal(journal)
        text = "journal"
    }

    /// The path that it reads, if that is a file or standard input.
    var path: String? {
        switch source {
        case .export(let path), .json(let path), .logfmt(let path), .lines(let path): path
        case .journal, .signals, .every, .calendar, .run, .changes, .tap, .dbus, .nats, .remote: nil
        }
    }

    /// Whether it has events only while it is being listened to.
    var isLiveOnly: Bool {
        if case .nats(let argument) = source {
            argument.start == nil || argument.start == .new
        } else {
            kind.isLiveOnly
        }
    }

    /// The source's name unless another one is given.
    var name: String { if case .remote(let journal) = source { journal.host } else { kind.name } }

    private static var kinds: String { SourceKind.allCases.map(\.rawValue).joined(separator: ", ") }

    /// The value of `--label`: `NAME=SOURCE`.
    static func labelled(_ argument: String) throws -> SourceArgument {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 64 else {
            throw BadValue(description: "write a name, = and a source, as in web=lines:/var/log/nginx/error.log")
        }
        var source = try SourceArgument(argument: parts[1])
        source.label = parts[0]
        return source
    }

    private static func source(_ kind: SourceKind, _ operand: String) throws -> Source {
        switch kind {
        case .journal: .journal(.system)
        case .directory: .journal(.directory(operand))
        case .file: .journal(.files(FilePattern.paths(of: operand)))
        case .namespace: .journal(.namespace(operand))
        case .export: .export(path: operand)
        case .json: .json(path: operand)
        case .logfmt: .logfmt(path: operand)
        case .lines: .lines(path: operand)
        case .signals: .signals(try signals(operand))
        case .every: .every(try DurationArgument(argument: operand).duration)
        case .calendar: .calendar(try calendar(operand))
        case .run: .run(try words(operand))
        case .changes: .changes(path: operand)
        case .unix: .tap(path: try TapArgument(operand: operand).path)
        case .dbus: .dbus(try DBusArgument(operand: operand).address)
        case .nats: .nats(try NATSArgument(operand: operand))
        case .ssh: .remote(.ssh(try SSHAddress(operand: operand)))
        case .https, .http: .remote(.gateway(try GatewayAddress(scheme: kind.rawValue, operand: operand)))
        }
    }

    /// The signals that can be listened to, by name with or without SIG, or number.
    private static func signals(_ text: String) throws -> [CInt] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
            let capitals = name.uppercased()
            let number =
                OSSignal.numbersByName[capitals.hasPrefix("SIG") ? capitals : "SIG\(capitals)"] ?? CInt(name) ?? -1
            if number == SIGINT || number == SIGTERM {
                throw BadValue(description: "INT and TERM end busctl-rx and cannot be listened to")
            }
            do throws(OSSignalError) {
                _ = try OSSignalSet([number])
            } catch {
                throw BadValue(
                    description: "'\(name)' is no signal that can be listened to; write names such as HUP,USR1"
                )
            }
            return number
        }
    }

    private static func calendar(_ text: String) throws -> CalendarSchedule {
        do {
            return try CalendarSchedule(text)
        } catch {
            let line = "\(error)".split(separator: "\n").first.map(String.init) ?? "\(error)"
            throw BadValue(description: "\(line); see systemd.time(7), \"Calendar Events\"")
        }
    }

    /// The words of a command, as a shell splits them; nothing in them is replaced.
    private static func words(_ text: String) throws -> [String] {
        guard let words = CommandWords.split(text), !words.isEmpty else {
            throw BadValue(
                description: "write a command as for a shell, as in \(SourceKind.run.example); a quote is left open"
            )
        }
        return words
    }
}
