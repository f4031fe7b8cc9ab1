import ArgumentParser
import JournalBridge

/// `busctl-rx tail` as it is typed.
struct TailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        _superCommandName: BusctlRx.name,
        abstract: "Show the journal's entries that a filter selects, and follow what comes.",
        usage: "busctl-rx tail [<options>] [<filter>]",
        discussion: """
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

            On a terminal, what ends (--no-follow, -r, -e) is shown in a pager as journalctl does it: SYSTEMD_PAGER or PAGER names it, \
            SYSTEMD_LESS has options for less.

            Started by systemd with Type=notify, it says that it is ready when all that comes from then on is heard.

            The file ~/.config/busctl-rx/config may hold options for tail, one argument a line, such as --utc. A typed option \
            replaces the same option of the file, and typed sources replace those of the file. --no-config leaves the file out. \
            A line '@errors = priority <= err' there gives a filter a name. The operand @errors stands for it, in count and \
            explain, too; of several filters all must hold.

              busctl-rx tail @errors @web 'message.contains("upstream")'

            Short options may be joined: -fn5 -ojson. Of an option that is given twice the last one counts, apart from \
            the sources. What follows -- is the filter.

            Exit status: 0 something matched, 1 nothing did, 2 usage or expression, 3 the source is unavailable or was \
            lost, or the output cannot be written, 4 a command of --exec failed, 124 timeout, 129, 130 and 143 \
            after SIGHUP, SIGINT and SIGTERM.
            """
    )

    static let options = OptionTable(
        values: [
            "-o", "--output",
            "--output-fields",
            "--count", "--threads", "--cursor-file", "--after-cursor",
            "--color", "--template",
        ],
        flags: [
            "-f", "--follow", "--no-follow", "-r", "--reverse", "--filter-stats", "--stats", "--utc", "--no-hostname",
            "--show-cursor", "-a", "--all", "-l", "--full", "-q", "--quiet", "--no-tail",
        ],
        optional: ["-n": ("10", EntryCount.isMeant), "--lines": ("10", EntryCount.isMeant)]
    ).with(SourceOptions.names).with(ChoosingOptions.names).with(OperatorOptions.names)
        .with(ReadingAidOptions.names)
        .with(QuestionOptions.names).with(FilterOperands.names)

    // A value is whatever comes next, as everywhere on Unix: `-n -1` is a bad value, not a missing one.

    @OptionGroup(title: "Sources")
    var from: SourceOptions

    @Option(
        name: [.customShort("n"), .customLong("lines")],
        parsing: .unconditional,
        help: ArgumentHelp(
            "Begin with this many of the newest matching entries, or all. Default: 10 when following, else all; 10 for -n alone.",
            valueName: "count|all"
        ),
        transform: EntryCount.init
    )
    var typedLines: EntryCount?

    @Flag(
        name: [.customShort("f"), .customLong("follow")],
        inversion: .prefixedNo,
        exclusivity: .chooseLast,
        help:
            "Wait for what comes, or end when everything there is has been read. Default: --follow, unless -r or -e is given."
    )
    var following: Bool?

    @Flag(
        name: [.customShort("r"), .long],
        help:
            "Show the newest entry first, and end with the oldest. A stream or a file that is no journal needs -n, too."
    )
    var reverse = false

    @Option(
        name: [.customShort("o"), .long],
        parsing: .unconditional,
        help: ArgumentHelp("Write entries in this format. Default: short, and json for --exec.", valueName: "format")
    )
    var output: OutputFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write each record in this form, in place of -o: '{time:iso} {source} {message}'.",
            valueName: "text"
        ),
        transform: TemplateArgument.init
    )
    var template: TemplateArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show only these fields: in verbose, export and json beside cursor, times and boot, and in cat.",
            valueName: "name,…"
        ),
        transform: FieldList.init
    )
    var outputFields: FieldList?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show messages in the colour of their severity.", valueName: "when")
    )
    var color: ColorChoice = .auto

    @Flag(help: "Write times in UTC.")
    var utc = false

    @Flag(help: "Leave the host out of lines.")
    var noHostname = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End after this many matching entries.", valueName: "count"),
        transform: { try WholeNumber.parse($0, example: "--count 3") }
    )
    var count: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Search a journal and write JSON with this many threads at most. Default: one for each processor, at most eight.",
            valueName: "count"
        ),
        transform: { try WholeNumber.parse($0, in: 1...64, example: "--threads 2") }
    )
    var threads: Int?

    @Flag(
        name: .customLong("filter-stats"),
        help: """
            At the end, say how often the filter was true, false, and without an answer, and why. Every entry is looked at, \
            without the journal's index.
            """
    )
    var filterStatistics = false

    @Flag(
        name: .customLong("stats"),
        help: """
            At the end, and when SIGUSR1 comes, say in a line how much was read, matched, held back, late and lost, how fast, and how \
            long after its time the last record came. Every entry is looked at, without the journal's index.
            """
    )
    var statistics = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Go on behind the entry whose cursor is in this file, and keep the file up to date. Without one begin as -n says.",
            valueName: "path"
        )
    )
    var cursorFile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Begin behind the entry with this cursor, whatever -n says.", valueName: "cursor")
    )
    var afterCursor: String?

    @Flag(help: "At the end, write the cursor of the last entry that was looked at.")
    var showCursor = false

    @Flag(
        name: [.customShort("a"), .long],
        help: "Show messages and values that are not plain text as they are, and not as their size."
    )
    var all = false

    @Flag(name: [.customShort("l"), .long], help: "Show lines whole, as is always done.")
    var full = false

    @Flag(
        name: [.customShort("q"), .long],
        help: "Leave out lines between entries of different boots, and warnings about a filter that is probably wrong."
    )
    var quiet = false

    @Flag(help: "Show all entries there are before those that come, whatever -n says.")
    var noTail = false

    @OptionGroup(title: "Choosing as journalctl does")
    var choosing: ChoosingOptions

    @OptionGroup(title: "Lists")
    var questions: QuestionOptions

    @OptionGroup(title: "Time and events")
    var operators: OperatorOptions

    @OptionGroup(title: "Reading")
    var aids: ReadingAidOptions

    @OptionGroup
    var operands: FilterOperands

    var follow: Bool { following ?? !(reverse || aids.pagerEnd) }

    /// With how many of the newest entries it begins, or ends where the newest comes first.
    var lines: EntryCount? { noTail ? .all : typedLines ?? (aids.pagerEnd ? .atPagerEnd : nil) }

    /// How it is read where the newest entry comes first.
    var reverseOrder: ReverseOrder? { reverse ? ReverseOrder(until: choosing.until?.microseconds) : nil }

    /// How records are written.
    var format: OutputFormat { output ?? OutputFormat(operators.exec != nil ? .json : .short) }

    /// The pager, where journalctl has one.
    var pager: PagerChoice? { follow && !questions.isOfPeriods || operators.exec != nil ? nil : aids.pager }

    /// Whether the sources are more than a journal, or the output has a form that journalctl does not know.
    var readsRecords: Bool {
        !from.isJournalAlone || template != nil || format.format == nil || operators.isTimed || operators.waitsForEvents
            || aids.context != nil || operators.exec != nil
            || !from.skews.isEmpty
    }

    /// Whether the output is text that programs do not parse.
    var isForPeople: Bool { template != nil || format.isForPeople }

    /// The checks that need only the command line.
    func validate() throws {
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
                throw ValidationError("Cursors are places in a journal. A stream has none, and no other source.")
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
        try ReverseOrder.check(from.sources, lines)
    }

    private func validateRecords() throws {
        if aids.context != nil {
            guard try RecordContext.hasMatches(operands, choosing) else {
                throw ValidationError(
                    "-C, --before-context and --after-context show what stands beside a match. Say what matches with a filter or -g."
                )
            }
            guard !operators.waitsForEvents, !operators.timing.leavesOut else {
                throw ValidationError(
                    "-C, --before-context and --after-context show what nothing else chose. Give no option that waits for a record or leaves some out."
                )
            }
        }
        if aids.context != nil, operators.exec != nil {
            throw ValidationError(
                "--exec runs a command for each match, and what stands beside one is none. Leave out --before-context and --after-context."
            )
        }
        if template == nil, readsRecords, format.recordFormat == nil {
            throw ValidationError(
                "-o \(format.name) is a format for one journal. Write short, verbose, cat, json, logfmt or --template."
            )
        }
        if readsRecords, !follow, let live = from.sources.first(where: \.isLiveOnly) {
            throw ValidationError(
                "\(live.kind.rawValue): says something only while it is listened to. Leave out --no-follow and -e."
            )
        }
    }

    func run() throws {
        if questions.areGiven { throw try JournalQuestions.answer(self) }
        throw try TailRun(TailPlan(self)).run()
    }
}
