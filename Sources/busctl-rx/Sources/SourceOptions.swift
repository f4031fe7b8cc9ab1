import ArgumentParser
import JournalBridge

/// The sources to read.
struct SourceOptions: ParsableArguments {
    static let names = OptionTable(
        values: [
            "--file", "-D", "--directory", "--root", "--namespace", "--from", "--label", "--order-window", "--skew",
            "--match", "--curl-config",
        ],
        flags: ["-m", "--merge", "--system", "--user", "--reconnect", "--monitor"]
    )

    @Option(
        name: .customLong("file"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Read this journal file, or all that a pattern matches; may be given several times.",
            valueName: "path"
        )
    )
    var files: [String] = []

    // These are gathered so that a second one is refused instead of taking the place of the first.

    @Option(
        name: [.customShort("D"), .customLong("directory")],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Read the journal files in this directory.", valueName: "path")
    )
    var directories: [String] = []

    @Option(
        name: .customLong("root"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Read the journals of the system with this root directory.", valueName: "path")
    )
    var roots: [String] = []

    @Option(
        name: .customLong("namespace"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Read the journal of this namespace, of all ('*'), or of this one and the default one (+NAME).",
            valueName: "name"
        )
    )
    var namespaces: [String] = []

    @Flag(
        name: [.customShort("m"), .long],
        help: "Read the journals of all machines that have some here, those that came from elsewhere among them."
    )
    var merge = false

    @Flag(help: "Of the journal read what the kernel and services of the system say. With --user, both.")
    var system = false

    @Flag(help: "Of the journal read what your own services say; -u then means units of your own service manager.")
    var user = false

    @Option(
        name: .customLong("from"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Read this source; may be given several times: journal, export:-, json:app.log, lines:/var/log/syslog, signals:HUP, "
                + "every:10s, run:'command', dbus:system, nats://host/subject, ssh:host, https://host:19531, … See busctl-rx sources.",
            valueName: "source"
        ),
        transform: SourceArgument.init
    )
    var streams: [SourceArgument] = []

    @Option(
        name: .customLong("label"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The same as --from, with a name for the source.", valueName: "name=source"),
        transform: SourceArgument.labelled
    )
    var labelled: [SourceArgument] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Let a record of one source wait so long for earlier ones of others. Default: 100ms. 0 is order of arrival.",
            valueName: "duration"
        ),
        transform: DurationArgument.window
    )
    var orderWindow: DurationArgument?

    @Option(
        name: .customLong("skew"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Add this to the times of a source whose clock is wrong.", valueName: "source=±duration"),
        transform: SkewArgument.init
    )
    var skews: [SkewArgument] = []

    @Flag(
        help: """
            When a program whose notification bus is read (unix:), a bus of D-Bus (dbus:) or a NATS server (nats:) ends or does not \
            run yet, wait until it runs. Wait for another machine, too, that cannot be reached at the start.
            """
    )
    var reconnect = false

    @Option(
        name: .customLong("match"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "On dbus: hear what this match rule of D-Bus matches; of several rules, what any of them does. Without one, every signal.",
            valueName: "rule"
        ),
        transform: DBusMatchArgument.init
    )
    var busMatches: [DBusMatchArgument] = []

    @Flag(
        help: """
            On dbus: hear the messages of others, too: calls, answers, errors and signals to one receiver. The bus of the system \
            lets only root do so.
            """
    )
    var monitor = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "On https: and http: give curl the options in this file, such as cert, key, cacert and netrc-file.",
            valueName: "path"
        )
    )
    var curlConfig: String?

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
    var journal: JournalSource {
        if case .journal(let source) = streams.first?.source { return source }
        return named ?? .system
    }

    /// Whether one journal is all that is read, or one stream of its entries.
    var isJournalAlone: Bool {
        let count = streams.count + labelled.count + (named == nil ? 0 : 1)
        return labelled.isEmpty && count <= 1 && streams.allSatisfy(\.kind.isJournal)
    }

    /// All that is read.
    var sources: [SourceArgument] {
        let all = (named.map { [SourceArgument($0)] } ?? []) + streams + labelled
        return all.isEmpty ? [SourceArgument(.system)] : all
    }

    /// The journal that knows which boots there were.
    var boots: JournalSource? {
        for case .journal(let source) in sources.map(\.source) { return source }
        return nil
    }

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
        let waits: (SourceKind) -> Bool = { [.unix, .dbus, .nats].contains($0) || $0.isRemote }
        if reconnect, !sources.contains(where: { waits($0.kind) }) {
            throw ValidationError(
                "--reconnect waits for a program whose notification bus is read, for a bus of D-Bus, a NATS server, or another "
                    + "machine. Give --from unix:PATH, dbus:system, nats://HOST/SUBJECT or ssh:HOST, too."
            )
        }
        if let curlConfig {
            guard !curlConfig.isEmpty else {
                throw ValidationError("--curl-config was given an empty name. Write the name of a file.")
            }
            guard sources.contains(where: { $0.kind == .https || $0.kind == .http }) else {
                throw ValidationError(
                    "--curl-config has options for what is read through curl. Give --from https://HOST:19531, too."
                )
            }
        }
        try requireDBus()
        _ = try RecordPlan.named(sources, skews: skews)
    }

    private static func list(_ options: [String]) -> String {
        options.dropLast().joined(separator: ", ") + " and " + options.suffix(1).joined()
    }
}
