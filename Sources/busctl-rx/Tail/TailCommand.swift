import ArgumentParser

/// `busctl-rx tail` as it is typed.
struct TailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Show the journal's entries that a filter selects, and follow what comes.",
        discussion: """
            A filter is an expression over the fields of an entry, as the journal spells them (_SYSTEMD_UNIT) or by \
            short name: message, priority (emerg ... debug), unit, identifier, pid, uid, host, time, boot.

              busctl-rx tail 'priority <= err'
              busctl-rx tail 'unit == "nginx.service" && message =~ "time.?out"'
              busctl-rx tail -n all --no-follow -o json 'pid == 1 and not message.startsWith("Started")'
              ssh host journalctl -o export | busctl-rx tail --from export:- 'priority < warning'

            Exit status: 0 something matched, 1 nothing did, 2 usage or expression, 3 the source is unavailable or was \
            lost, 124 timeout, 130 and 143 after SIGINT and SIGTERM.
            """
    )

    @Option(
        name: .customLong("file"),
        help: ArgumentHelp("Read this journal file; may be given several times.", valueName: "path")
    )
    var files: [String] = []

    @Option(help: ArgumentHelp("Read the journal files in this directory.", valueName: "path"))
    var directory: String?

    @Option(help: ArgumentHelp("Read the journal of this namespace.", valueName: "name"))
    var namespace: String?

    @Option(
        help: ArgumentHelp(
            "Read the journal export format from a file, or from standard input.",
            valueName: "export:path|export:-"
        )
    )
    var from: InputArgument?

    @Option(
        name: [.customShort("n"), .customLong("lines")],
        help: ArgumentHelp(
            "Begin with this many of the newest matching entries, or all. Default: 10 when following, else all.",
            valueName: "count|all"
        )
    )
    var lines: EntryCount?

    @Flag(name: .customLong("no-follow"), help: "End when everything there is has been read.")
    var noFollow = false

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("How an entry is written: short, cat (the message alone) or json.", valueName: "format")
    )
    var output: OutputFormat = .short

    @Option(help: ArgumentHelp("End after this many matching entries.", valueName: "count"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "End with status 124 when no matching entry came for this long: 500ms, 10s, 1m30s, 2h.",
            valueName: "duration"
        )
    )
    var timeout: DurationArgument?

    @Argument(
        help: ArgumentHelp("The expression that selects entries. Without one, all are shown.", valueName: "filter")
    )
    var filter: String?

    func run() throws {
        throw try TailRun(TailPlan(self)).run()
    }
}
