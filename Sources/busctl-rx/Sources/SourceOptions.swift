import JournalBridge
import RecordSources

/// The sources to read.
struct SourceOptions {
    static var options: [CommandOption<Self>] {
        (own + SourceKinds.standard.options.map(Self.option)).map { option in
            CommandOption(declaration: option.declaration) { values, text in
                try option.act(&values, text)
                let isFlag = if case .flag = option.declaration.kind { true } else { false }
                values.words += (isFlag ? [] : option.declaration.names.suffix(1)) + [text]
            }
        }
    }

    private static var own: [CommandOption<Self>] {
        [
            .value(
                "-i",
                "--file",
                of: "path",
                help: "Read this journal file, or all that a pattern matches; may be given several times."
            ) { $0.files.append($1) },
            .value(
                "-D",
                "--directory",
                of: "path",
                brief: "read the journal files in a directory",
                help: "Read the journal files in this directory."
            ) {
                $0.directories.append($1)
            },
            .value("--root", of: "path", help: "Read the journals of the system with this root directory.") {
                $0.roots.append($1)
            },
            .value(
                "--namespace",
                of: "name",
                help: "Read the journal of this namespace, of all ('*'), or of this one and the default one (+NAME)."
            ) { $0.namespaces.append($1) },
            .flag(
                "-m",
                "--merge",
                help:
                    "Read the journals of all machines that have some here, those that came from elsewhere among them."
            ) { $0.merge = true },
            .flag(
                "--system",
                help: "Of the journal read what the kernel and services of the system say. With --user, both."
            ) { $0.system = true },
            .flag(
                "--user",
                help: "Of the journal read what your own services say; -u then means units of your own service manager."
            ) { $0.user = true },
            .value(
                "--from",
                of: "source",
                brief: "read export:-, json:FILE, ssh:HOST, dbus:system …",
                help:
                    "Read this source; may be given several times: journal, export:-, json:app.log, lines:/var/log/syslog, signals:HUP, "
                    + "every:10s, run:'command', dbus:system, nats://host/subject, ssh:host, https://host:19531, … See busctl-rx sources."
            ) { $0.streams.append(try SourceArgument(argument: $1)) },
            .value("--label", of: "name=source", help: "The same as --from, with a name for the source.") {
                $0.labelled.append(try SourceArgument(labelled: $1))
            },
            .value(
                "--order-window",
                of: "duration",
                help:
                    "Let a record of one source wait so long for earlier ones of others. Default: 100ms. 0 is order of arrival."
            ) { $0.orderWindow = try Duration.window($1) },
            .value("--skew", of: "source=±duration", help: "Add this to the times of a source whose clock is wrong.") {
                $0.skews.append(try SkewArgument(argument: $1))
            },
            .flag(
                "--reconnect",
                help: """
                    When a program whose notification bus is read (unix:), a bus of D-Bus (dbus:) or a NATS server (nats:) ends or does not \
                    run yet, wait until it runs. Wait for another machine, too, that cannot be reached at the start.
                    """
            ) { $0.reconnect = true },
        ]
    }

    /// An option of a kind of source.
    private static func option(_ option: SourceOption) -> CommandOption<Self> {
        let declaration = OptionDeclaration(
            names: [option.name],
            kind: option.value == nil ? .flag : .value,
            valueName: option.value ?? "",
            help: option.help
        )
        return CommandOption(declaration: declaration) { $0.settings.append((option, try option.setting($1))) }
    }

    var files: [String] = []

    // These are gathered so that a second one is refused instead of taking the place of the first.

    var directories: [String] = []
    var roots: [String] = []
    var namespaces: [String] = []
    var merge = false
    var system = false
    var user = false
    var streams: [SourceArgument] = []
    var labelled: [SourceArgument] = []
    var orderWindow: Duration?
    var skews: [SkewArgument] = []
    var reconnect = false
    /// The options as they were given.
    private(set) var words: [String] = []
    private var settings: [(option: SourceOption, set: SourceOption.Setting)] = []

    /// The journal that an option of its own names.
    var named: JournalSource? {
        JournalChoice(
            files: files,
            directory: directories.first,
            root: roots.first,
            namespace: namespaces.first,
            isMerged: merge,
            kinds: kinds
        ).source
    }

    private var kinds: JournalKinds {
        var kinds: JournalKinds = []
        if system { kinds.insert(.system) }
        if user { kinds.insert(.user) }
        return kinds
    }

    /// Whether only messages of the user's own services are read from a journal.
    var isOfUserAlone: Bool { user && !system }

    /// The journal that is read, when that is all that is.
    var journal: JournalSource { streams.first?.journal ?? named ?? .system }

    /// Whether one journal is all that is read, or one stream of its entries.
    var isJournalAlone: Bool {
        let count = streams.count + labelled.count + (named == nil ? 0 : 1)
        return labelled.isEmpty && count <= 1 && streams.allSatisfy { $0.journal != nil || $0.source is ExportRecords }
    }

    /// All that is read.
    var sources: [any RecordSource] { given.map(\.source) }

    /// The same by their names.
    func named(skewed: Bool = true) throws -> [NamedSource] {
        let sources: [NamedSource]
        do throws(SourceArgumentError) {
            sources = try NamedSource.all(given.map { ($0.label, $0.source) })
        } catch {
            throw ValidationError(error.description)
        }
        if skewed, let stray = skews.first(where: { skew in !sources.contains { $0.name == skew.source } }) {
            let names = sources.map { "'\($0.name)'" }.joined(separator: ", ")
            throw ValidationError("--skew names '\(stray.source)', but what is read is called \(names).")
        }
        return sources
    }

    private var given: [(label: String?, source: any RecordSource)] {
        let all = (named.map { [(nil, JournalRecords($0))] } ?? []) + (streams + labelled).map { ($0.label, $0.source) }
        return (all.isEmpty ? [(nil, JournalRecords(.system))] : all).map { label, source in
            (label, settings.reduce(source) { $1.set($0) })
        }
    }

    /// The journal that knows which boots there were.
    var boots: JournalSource? { sources.lazy.compactMap { ($0 as? JournalRecords)?.journal }.first }

    func validate() throws {
        let given = [
            ("--file", files), ("--directory", directories), ("--root", roots), ("--namespace", namespaces),
        ].filter { !$0.1.isEmpty }
        guard given.count <= 1 else {
            throw ValidationError("\(Self.list(given.map(\.0))) name different sources. Give one of them.")
        }
        if let (option, names) = given.first {
            if names.contains("") {
                throw ValidationError("\(option) was given an empty name. Write the name of what to read.")
            }
            if names.count > 1, option != "--file" {
                throw ValidationError("\(option) was given \(Self.list(names.map { "'\($0)'" })). Give it once.")
            }
        }
        if sources.count(where: { $0.path == "-" }) > 1 {
            throw ValidationError("Standard input can be read by one source only.")
        }
        if reconnect, !sources.contains(where: { $0.traits.contains(.awaitable) }) {
            throw ValidationError(
                "--reconnect waits for a program whose notification bus is read, for a bus of D-Bus, a NATS server, or another "
                    + "machine. Give --from unix:PATH, dbus:system, nats://HOST/SUBJECT or ssh:HOST, too."
            )
        }
        if let useless = settings.first(where: { setting in !sources.contains { setting.option.isOption(of: $0) } }) {
            throw ValidationError(useless.option.advice)
        }
        do throws(SourceArgumentError) {
            for source in sources { try source.check() }
        } catch {
            throw ValidationError(error.description)
        }
        _ = try named()
    }

    private static func list(_ options: [String]) -> String {
        options.dropLast().joined(separator: ", ") + " and " + options.suffix(1).joined()
    }
}
