import Filter
import JournalBridge
import RecordSources
import Records

/// `busctl-rx count`
struct CountCommand: Command {
    static let name = "count"
    static let summary = "Count what a filter selects, by fields and over time."
    static let usage = "busctl-rx count [<options>] [<filter>]"
    static let discussion = """
        Without options the answer is one number. With --by it is a table of the values of a field, the most frequent first; \
        with --every a histogram over time; with both, each row of the table shows how it went over time. Sources, filters and journalctl's options \
        are those of 'busctl-rx tail'. Of the configuration file only its filters (@name) are used.

          busctl-rx count -b --by unit 'priority <= err'
          busctl-rx count -S today --every 1h 'message.contains("timeout")'
          busctl-rx count -S -30d --every daily --by host
          busctl-rx count --from json:access.log --by status,path -o csv
          busctl-rx count --from json:app.log --by http.status
          busctl-rx count -f --every 10s --by identifier
          busctl-rx count -b --by pattern --top 20

        The pattern of a message has <*> for each part that varies: words with digits, addresses, paths, words in quotation marks. \
        Words without digits, such as names of users, remain and make groups of their own.

        With -f it goes on with what comes, until it is interrupted: on a terminal the table is drawn anew each second; elsewhere it \
        is written at the end. With --every, -o json and -o csv write the rows of a span a second after it is over, and later records \
        in rows of their own.

        Other machines (--from ssh:HOST) count for themselves where they have this program, so that only counts cross the network; \
        otherwise their records are read and counted here. 32 machines are asked at once. A machine that cannot be reached, fails, or \
        sends nothing for too long (--within) is named on standard error, and in JSON as a line {"source":…,"gap":true,"message":…}. The \
        others are counted, and the status is 3.

          busctl-rx count --from ssh:web-1 --from ssh:web-2 -S today --by unit 'priority <= err'

        A record without a field counts as '-', as null in JSON, and as an empty value in CSV. The files of a journal that are not written \
        any more are counted by the lists of entries that they keep for each value, without a look at most entries: damage in an entry, \
        which tail would show, does not change its count.

        Exit status: 0 something was counted, 1 nothing was, 2 usage or expression, 3 the source is unavailable or was lost, or the \
        output cannot be written. SIGHUP, SIGINT and SIGTERM end it as they end any program (129, 130 and 143 in a shell), with what was \
        counted until then. With 3 there is no count, unless only other machines failed.
        """

    static var options: [CommandOption<Self>] {
        let own: [CommandOption<Self>] = [
            .value(
                "--by",
                of: "field,…",
                brief: "count each value of these fields by itself",
                help: "Count each combination of values of these fields, or parts of them, by itself."
            ) { $0.by = try FieldList.groups($1) },
            .value(
                "--every",
                of: "time",
                brief: "count each span of time by itself",
                help: """
                    Count each span of so much time by itself, as in 10m, or what lies between two times of a calendar, as in daily, \
                    weekly or '*:0/15'. 1d is 24 hours of UTC, and daily a day of the local time.
                    """
            ) { $0.every = try CountedSpans(argument: $1) },
            .value(
                "--top",
                of: "count",
                brief: "show so many rows at most",
                help: "Show so many rows of a table at most, and sum up the rest."
            ) { $0.top = try WholeNumber.parse($1, example: "--top 3") },
            .value(
                "-o",
                "--output",
                of: "format",
                in: CountText.Format.allCases.map(\.rawValue),
                default: "table",
                brief: "table, json or csv",
                help: "Write counts in this format."
            ) { $0.output = CountText.Format(rawValue: $1) ?? .table },
            .toggle(
                "-f",
                "--follow",
                opposite: "--no-follow",
                brief: "go on with what comes",
                help: "Go on with what comes."
            ) { $0.follow = $1 },
            .flag("--utc", help: "Write times in UTC.") { $0.utc = true },
            .value(
                "--within",
                of: "duration",
                help: "Leave out another machine that sends nothing for so long, also with --reconnect. Default: 30s."
            ) { $0.within = try Duration(argument: $1) },
            .flag(
                "--stats",
                help:
                    "At the end, say which other machines could not count for themselves, so that their records were read."
            ) { $0.statistics = true },
            .value(
                "--framed",
                of: "version",
                help: """
                    With -o json, write first a line with the version of these lines, gaps as lines, and last a line with the totals. Where that \
                    is missing, the output was cut off. The version is \(CountLines.version).
                    """
            ) { count, text in
                guard text == "\(CountLines.version)" else {
                    throw BadValue(description: "write \(CountLines.version), the version of the lines")
                }
                count.isFramed = true
            },
        ]
        return own
            + SourceOptions.options.map { $0.within("Sources") { try $1(&$0.from) } }
            + ChoosingOptions.options.map { $0.within("Choosing as journalctl does") { try $1(&$0.choosing) } }
            + FilterOperands.options.map { $0.within("") { try $1(&$0.operands) } }
    }

    var from = SourceOptions()
    var by: FieldList?
    var every: CountedSpans?
    var top: Int?
    var output = CountText.Format.table
    var follow = false
    var utc = false
    var within: Duration?
    var statistics = false
    var isFramed = false
    var choosing = ChoosingOptions()
    var operands = FilterOperands()
    static var operands: [CommandOperand<Self>] { [FilterOperands.operand { try $1(&$0.operands) }] }

    func validate() throws {
        try from.validate()
        try choosing.validate()
        try operands.validate()
        try choosing.requireJournal(in: from)
        if isFramed, output != .json || follow {
            throw ValidationError(
                "--framed is about the lines of a whole count in JSON. Give -o json, too, without -f."
            )
        }
        if within != nil || statistics, follow || !from.sources.contains(where: { $0 is RemoteRecords }) {
            throw ValidationError(
                "\(within == nil ? "--stats" : "--within") is about other machines that are asked once. Give --from ssh:HOST, too, without -f."
            )
        }
        if !follow, let live = from.sources.first(where: { $0.traits.contains(.live) }) {
            throw ValidationError("\(live.word): says something only while it is listened to. Give -f, too.")
        }
    }

    func run() throws {
        let sources = try from.named()
        let waits = follow && !choosing.isOver
        let filter = try FilterArgument.all(operands, choosing, in: from) { text in
            _ = try FilterArgument.compile(text, over: sources)
        }
        let plan = try RecordPlan(
            from,
            filter,
            nil,
            since: choosing.choice.since,
            until: choosing.choice.until,
            lines: choosing.choice.since == nil ? .all : nil,
            follow: waits,
            timing: RecordTiming(field: nil),
            style: RecordStyle(.message),
            isQuiet: isFramed,
            fields: [("--by", by?.paths ?? [])]
        )
        throw try CountRun(
            plan,
            by: try every.map { try $0.grouping(by?.paths ?? [], isUTC: utc) }
                ?? RecordGrouping(fields: by?.paths ?? []),
            format: output,
            isUTC: utc,
            top: top,
            within: within ?? .seconds(30),
            showsMachines: statistics,
            isFramed: isFramed
        ).run()
    }
}
