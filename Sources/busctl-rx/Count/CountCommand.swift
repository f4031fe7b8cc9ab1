import ArgumentParser
import Filter
import Records

/// `busctl-rx count`
struct CountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        _superCommandName: BusctlRx.name,
        abstract: "Count what a filter selects, by fields and over time.",
        usage: "busctl-rx count [<options>] [<filter>]",
        discussion: """
            Without options the answer is one number. With --by it is a table of the values of a field, the most frequent first; \
            with --every a histogram over time; with both, a table for each span of time. Sources, filters and journalctl's options \
            are those of 'busctl-rx tail'. Of the configuration file only its filters (@name) are used.

              busctl-rx count -b --by unit 'priority <= err'
              busctl-rx count -S today --every 1h 'message.contains("timeout")'
              busctl-rx count --from json:access.log --by status,path -o csv
              busctl-rx count --from json:app.log --by http.status
              busctl-rx count -f --every 10s --by identifier

            With -f it goes on with what comes, until it is interrupted: on a terminal the table is drawn anew each second; elsewhere \
            the rows of a span are written a second after it is over, and later records in rows of their own.

            A record without a field counts as '-', as null in JSON, and as an empty value in CSV.

            Exit status: 0 something was counted, 1 nothing was, 2 usage or expression, 3 the source is unavailable or was lost, or the \
            output cannot be written, 129, 130 and 143 after SIGHUP, SIGINT and SIGTERM, with what was counted until then. With 3 there is \
            no count.
            """
    )

    static let options = OptionTable(
        values: ["--by", "--every", "--top", "-o", "--output"],
        flags: ["-f", "--follow", "--no-follow", "--utc"]
    ).with(SourceOptions.names).with(ChoosingOptions.names).with(FilterOperands.names)

    @OptionGroup(title: "Sources")
    var from: SourceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Count each combination of values of these fields, or parts of them, by itself.",
            valueName: "field,…"
        ),
        transform: FieldList.groups
    )
    var by: FieldList?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Count each span of so much time by itself.", valueName: "duration"),
        transform: DurationArgument.init
    )
    var every: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show so many rows of a table at most, with --every of each span, and sum up the rest.",
            valueName: "count"
        ),
        transform: { try WholeNumber.parse($0, example: "--top 3") }
    )
    var top: Int?

    @Option(
        name: [.customShort("o"), .long],
        parsing: .unconditional,
        help: ArgumentHelp("Write counts in this format.", valueName: "format")
    )
    var output: CountFormat = .table

    @Flag(
        name: [.customShort("f"), .long],
        inversion: .prefixedNo,
        exclusivity: .chooseLast,
        help: "Go on with what comes."
    )
    var follow = false

    @Flag(help: "Write times in UTC.")
    var utc = false

    @OptionGroup(title: "Choosing as journalctl does")
    var choosing: ChoosingOptions

    @OptionGroup
    var operands: FilterOperands

    func validate() throws {
        try choosing.requireJournal(in: from)
        if !follow, let live = from.sources.first(where: \.isLiveOnly) {
            throw ValidationError("\(live.kind.rawValue): says something only while it is listened to. Give -f, too.")
        }
    }

    func run() throws {
        let sources = try RecordPlan.named(from.sources, skews: from.skews)
        let filter = try FilterArgument.all(operands, choosing, in: from) { text in
            _ = try FilterArgument.compile(text, over: sources)
        }
        let plan = try RecordPlan(
            from,
            filter,
            nil,
            since: choosing.since,
            until: choosing.until,
            lines: choosing.since == nil ? .all : nil,
            follow: follow,
            timing: RecordTiming(),
            style: RecordStyle(.message),
            fields: [("--by", by?.paths ?? [])]
        )
        throw try CountRun(
            plan,
            fields: by?.paths ?? [],
            span: every?.duration,
            format: output.format,
            isUTC: utc,
            top: top,
            until: follow ? choosing.until?.microseconds : nil
        ).run()
    }
}
