import JournalBridge
import RecordSources
import Records

/// `busctl-rx tail` as it is typed.
struct TailCommand: Command {
    static let name = "tail"
    static let summary = "Show the journal's entries that a filter selects, and follow what comes."
    static let usage = "busctl-rx tail [<options>] [<filter>]"
    static let discussion = """
        A filter is an expression over the fields of an entry, as the journal spells them (_SYSTEMD_UNIT) or by \
        short name: message, priority (emerg ... debug), unit, identifier, pid, uid, host, time, boot.

          busctl-rx tail 'priority <= err'
          busctl-rx tail 'unit == "nginx.service" && message =~ "time.?out"'
          busctl-rx tail --no-follow -o json 'pid == 1 and not has(UNIT)'
          busctl-rx tail -u nginx -p err -S yesterday 'message.contains("upstream")'
          busctl-rx tail -x --invocation -1 -u nginx --no-follow
          journalctl -o export | busctl-rx tail --from export:- 'uid >= 1000'

        An entry is shown when the filter is true for it. An entry for which it has no answer, as priority < 3 for one \
        without a priority, is not shown, and neither is it by the filter's opposite; --filter-stats counts these. \
        'busctl-rx explain FILTER' shows how a filter is understood.

        time is the time that is shown: when an entry was made, where that is known, else when it was received \
        (__REALTIME_TIMESTAMP). On a terminal, control characters of an entry are shown as \\x1b or \\u202e; into a \
        pipe or a file, messages are written byte for byte.

        journalctl's options for choosing entries mean here what they mean there, each as a piece of the filter: all of them \
        and the filter must hold. FIELD=value may stand in place of the filter, and so may the path of a program, a script or \
        a device. Of a text that a program has written several times in one entry, as TAG=a and TAG=b, TAG=b finds any, the \
        filter TAG == "b" compares the first, and "b" in fields("TAG") asks all.

        With --cursor-file a run goes on where the last one ended: nothing is lost, and what was written less than a \
        second before the program was killed may come again.

        With --from, as often as wanted, other sources are read: see 'busctl-rx sources'. Their records have the fields source, \
        time, message, severity and sequence, and those of their kind; all are shown in the order of their times. Messages of D-Bus \
        have type, sender, destination, path, interface, member, args (a list) and, where systemd speaks of one, unit.

          busctl-rx tail --from journal --label app=lines:/var/log/app.log 'source == "app" or priority <= err'
          busctl-rx tail --from run:'ping -c 5 localhost' --template '{time:utc} {message}'
          busctl-rx tail --from dbus:system 'member == "PrepareForSleep" && args[0]'

          busctl-rx tail -p crit --exec 'mail -s "trouble on web-1" root' --template '{time} {unit} {message}'

        Where there are colours (see --color), what -g finds in messages is marked. --highlight marks without choosing: in \
        messages, in the host, the identifier and the process of a line, and in the fields that verbose, cat or a template \
        shows. Each of these is searched by itself, as it is stored.

          busctl-rx tail -p warning --highlight 'time.?out' --time-gap 5m

        On a terminal, what ends (--no-follow, -r, -e) is shown in a pager as journalctl does it: less, or the one that \
        SYSTEMD_PAGER or PAGER names where SYSTEMD_PAGERSECURE is set, too; SYSTEMD_LESS has options for less.

        Started by systemd with Type=notify, it says that it is ready when all that comes from then on is heard.

        The file ~/.config/busctl-rx/config may hold options for tail, one argument a line, such as --utc. A typed option \
        replaces the same option of the file, and typed sources replace those of the file. --no-config leaves the file out. \
        A line '@errors = priority <= err' there gives a filter a name. The operand @errors stands for it, in count and \
        explain, too; of several filters all must hold.

          busctl-rx tail @errors @web 'message.contains("upstream")'

        Short options may be joined: -fn5 -ojson. Of an option that is given twice the last one counts, apart from \
        the sources. What follows -- is the filter.

        Exit status: 0 something matched, 1 nothing did, 2 usage or expression, 3 the source is unavailable or was \
        lost, or the output cannot be written, 4 a command of --exec failed, 124 timeout. SIGHUP, SIGINT and \
        SIGTERM end it as they end any program, which is 129, 130 and 143 in a shell.
        """

    static var options: [CommandOption<Self>] {
        let own: [CommandOption<Self>] = [
            .optionalValue(
                "-n",
                "--lines",
                of: "count|all",
                implied: "10",
                where: EntryCount.isMeant,
                brief: "begin with so many of the newest entries",
                help:
                    "Begin with this many of the newest matching entries, or all. Default: 10 when following, else all; 10 for -n alone."
            ) { $0.typedLines = try EntryCount(argument: $1) },
            .toggle(
                "-f",
                "--follow",
                opposite: "--no-follow",
                brief: "wait for what comes, or end",
                help:
                    "Wait for what comes, or end when everything there is has been read. Default: --follow, unless -r or -e is given."
            ) { $0.following = $1 },
            .flag(
                "-r",
                "--reverse",
                brief: "show the newest first",
                help:
                    "Show the newest entry first, and end with the oldest. A stream or a file that is no journal needs -n, too."
            ) { $0.reverse = true },
            .value(
                "-o",
                "--output",
                of: "format",
                in: OutputFormat.names,
                brief: "short, verbose, cat, json, export, logfmt …",
                help: "Write entries in this format. Default: short, and json for --exec."
            ) { $0.output = OutputFormat(argument: $1) },
            .value(
                "--template",
                of: "text",
                brief: "write records as '{time} {unit} {message}'",
                help: "Write each record in this form, in place of -o: '{time:iso} {source} {message}'."
            ) { $0.template = try TemplateArgument(argument: $1) },
            .value(
                "--output-fields",
                of: "name,…",
                help: "Show only these fields: in verbose, export and json beside cursor, times and boot, and in cat."
            ) { $0.outputFields = try FieldList(argument: $1) },
            .value(
                "--color",
                of: "when",
                in: ColorChoice.allCases.map(\.rawValue),
                default: "auto",
                help: "Show messages in the colour of their severity."
            ) { $0.color = ColorChoice(rawValue: $1) ?? .auto },
            .flag("--utc", help: "Write times in UTC.") { $0.utc = true },
            .flag("-W", "--no-hostname", help: "Leave the host out of lines.") { $0.noHostname = true },
            .value("--count", of: "count", help: "End after this many matching entries.") {
                $0.count = try WholeNumber.parse($1, example: "--count 3")
            },
            .value(
                "--threads",
                of: "count",
                help:
                    "Search a journal and write JSON with this many threads at most. Default: one for each processor, at most eight."
            ) { $0.threads = try WholeNumber.parse($1, in: 1...64, example: "--threads 2") },
            .flag(
                "--filter-stats",
                help: """
                    At the end, say how often the filter was true, false, and without an answer, and why. Every entry is looked at, \
                    without the journal's index.
                    """
            ) { $0.filterStatistics = true },
            .flag(
                "--stats",
                help: """
                    At the end, and when SIGUSR1 comes, say in a line how much was read, matched, held back, late and lost, how fast, and how \
                    long after its time the last record came. Every entry is looked at, without the journal's index.
                    """
            ) { $0.statistics = true },
            .value(
                "--cursor-file",
                of: "path",
                help:
                    "Go on behind the entry whose cursor is in this file, and keep the file up to date. Without one begin as -n says."
            ) { $0.cursorFile = $1 },
            .value("--after-cursor", of: "cursor", help: "Begin behind the entry with this cursor, whatever -n says.") {
                $0.afterCursor = $1
            },
            .flag("--show-cursor", help: "At the end, write the cursor of the last entry that was looked at.") {
                $0.showCursor = true
            },
            .flag(
                "-a",
                "--all",
                help: "Show messages and values that are not plain text as they are, and not as their size."
            ) { $0.all = true },
            .flag("-l", "--full", help: "Show lines whole, as is always done.") { $0.full = true },
            .flag(
                "-q",
                "--quiet",
                help:
                    "Leave out lines between entries of different boots, and warnings about a filter that is probably wrong."
            ) { $0.quiet = true },
            .flag("--no-tail", help: "Show all entries there are before those that come, whatever -n says.") {
                $0.noTail = true
            },
        ]
        return own
            + SourceOptions.options.map { $0.within("Sources") { try $1(&$0.from) } }
            + ChoosingOptions.options.map { $0.within("Choosing as journalctl does") { try $1(&$0.choosing) } }
            + QuestionOptions.options.map { $0.within("Lists") { try $1(&$0.questions) } }
            + OperatorOptions.options.map { $0.within("Time and events") { try $1(&$0.operators) } }
            + ReadingAidOptions.options.map { $0.within("Reading") { try $1(&$0.aids) } }
            + FilterOperands.options.map { $0.within("") { try $1(&$0.operands) } }
    }

    static var operands: [CommandOperand<Self>] { [FilterOperands.operand { try $1(&$0.operands) }] }

    var from = SourceOptions()
    var typedLines: EntryCount?
    var following: Bool?
    var reverse = false
    var output: OutputFormat?
    var template: TemplateArgument?
    var outputFields: FieldList?
    var color: ColorChoice = .auto
    var utc = false
    var noHostname = false
    var count: Int?
    var threads: Int?
    var filterStatistics = false
    var statistics = false
    var cursorFile: String?
    var afterCursor: String?
    var showCursor = false
    var all = false
    var full = false
    var quiet = false
    var noTail = false
    var choosing = ChoosingOptions()
    var questions = QuestionOptions()
    var operators = OperatorOptions()
    var aids = ReadingAidOptions()
    var operands = FilterOperands()
    var follow: Bool { following ?? !(reverse || aids.pagerEnd) }

    /// Whether it follows, and something that comes may be wanted.
    var waits: Bool { follow && !choosing.isOver }

    /// With how many of the newest entries it begins, or ends where the newest comes first.
    var lines: EntryCount? { noTail ? .all : typedLines ?? (aids.pagerEnd ? .atPagerEnd : nil) }

    /// How it is read where the newest entry comes first.
    var reverseOrder: ReverseOrder? { reverse ? ReverseOrder(until: choosing.choice.until?.microseconds) : nil }

    /// How records are written.
    var format: OutputFormat { output ?? OutputFormat(operators.exec != nil ? .json : .short) }

    /// The pager, where journalctl has one.
    var pager: PagerChoice? { waits && !questions.isOfPeriods || operators.exec != nil ? nil : aids.pager }

    /// Whether the sources are more than a journal, or the output has a form that journalctl does not know.
    var readsRecords: Bool {
        !from.isJournalAlone || template != nil || format.format == nil || operators.isTimed || operators.waitsForEvents
            || aids.context != nil || operators.exec != nil
            || !from.skews.isEmpty
    }

    /// Whether the output is text that programs do not parse.
    var isForPeople: Bool { template != nil || format.isForPeople }

    func validate() throws {
        try from.validate()
        try choosing.validate()
        try operators.validate()
        try aids.validate()
        try operands.validate()
        try choosing.requireJournal(in: from)
        try questions.require(in: self)
        if reverse { try validateReverse() }
        if cursorFile != nil, afterCursor != nil {
            throw ValidationError("--cursor-file and --after-cursor name different places to begin. Give one of them.")
        }
        if let afterCursor, !MergedJournal.isCursor(afterCursor) {
            throw ValidationError(
                "'\(afterCursor)' is no cursor. Write one as --show-cursor prints it: s=…;i=…;b=…;m=…;t=…;x=…"
            )
        }
        if cursorFile == "" {
            throw ValidationError("--cursor-file was given an empty name. Write the name of a file.")
        }
        if cursorFile != nil || afterCursor != nil || showCursor {
            if from.boots == nil {
                throw ValidationError(
                    "tail keeps the places of journals only. 'busctl-rx forward' keeps those of log files and of JetStream's streams, too."
                )
            }
            if readsRecords {
                throw ValidationError(
                    "Cursors are places in one journal. Give no other source, no timing, and a format that journalctl has."
                )
            }
        }
        if !readsRecords, let outputFields {
            try NamedFields.requireOfJournal(outputFields.paths, of: "--output-fields")
        }
        try aids.requirePatterns(beside: choosing)
        if !isForPeople { try aids.requireText(in: format.name) }
        try validateRecords()
    }

    private func validateReverse() throws {
        if following == true {
            throw ValidationError("--reverse ends with the oldest entry, and --follow with none. Give one of them.")
        }
        if cursorFile != nil {
            throw ValidationError(
                "--cursor-file goes on with newer entries, and --reverse with older ones. Give one of them."
            )
        }
        try ReverseOrder.check(from.sources, typedAs: (from.streams + from.labelled).first?.text ?? "journal", lines)
    }

    private func validateRecords() throws {
        if aids.context != nil {
            guard try RecordContext.hasMatches(operands, choosing) else {
                throw ValidationError(
                    "-C, --before-context and --after-context show records beside a match. Say what matches with a filter or -g."
                )
            }
            guard !operators.waitsForEvents, !operators.timing.leavesOut else {
                throw ValidationError(
                    "-C, --before-context and --after-context need the records around a match, but options that wait for a record or leave some out remove them. Give one or the other."
                )
            }
        }
        if aids.context != nil, operators.exec != nil {
            throw ValidationError(
                "--exec runs a command for each match, and context records are not matches. Leave out --before-context and --after-context."
            )
        }
        if template == nil, readsRecords, format.recordFormat == nil {
            throw ValidationError(
                "-o \(format.name) is a format for one journal. Write short, verbose, cat, json, logfmt or --template."
            )
        }
        if readsRecords, !follow, let live = from.sources.first(where: { $0.traits.contains(.live) }) {
            throw ValidationError(
                "\(live.word): says something only while it is listened to. Leave out --no-follow and -e."
            )
        }
    }

    func run() throws {
        if questions.areGiven { throw try JournalQuestions.answer(self) }
        throw try TailRun(TailPlan(self)).run()
    }
}
