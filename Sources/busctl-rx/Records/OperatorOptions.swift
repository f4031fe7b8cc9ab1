import ArgumentParser
import Records

/// The library's operators on the records, each option one of them, and the action for each record.
struct OperatorOptions: ParsableArguments {
    static let names = OptionTable(
        values: [
            "--timeout", "--for", "--delay", "--throttle", "--debounce", "--sample", "--rate", "--by",
            "--after-match", "--until-match", "--expect", "--within", "--absent", "--exec", "--jobs",
        ],
        flags: ["--distinct"]
    )

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "End with status 124 when no matching entry came for this long: 500ms, 10s, 1m30s, 2h. With --by, when none came "
                + "with a value that was there before.",
            valueName: "duration"
        ),
        transform: DurationArgument.init
    )
    var timeout: DurationArgument?

    @Option(
        name: .customLong("for"),
        parsing: .unconditional,
        help: ArgumentHelp(
            "End after this time. With --by, show the records of each value for this time after its first, and leave out later ones.",
            valueName: "duration"
        ),
        transform: DurationArgument.init
    )
    var length: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show each record so much later.", valueName: "duration"),
        transform: DurationArgument.init
    )
    var delay: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show at most one record in so much time: the first, and the last at its end.",
            valueName: "duration"
        ),
        transform: DurationArgument.init
    )
    var throttle: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show the last record when no other came for so long.", valueName: "duration"),
        transform: DurationArgument.init
    )
    var debounce: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Each so often, show the last record if there was one.", valueName: "duration"),
        transform: DurationArgument.init
    )
    var sample: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show at most so many records in a time; what comes beyond that waits, and is left out if it is much.",
            valueName: "n/duration"
        ),
        transform: RateArgument.init
    )
    var rate: RateArgument?

    @Flag(help: "Leave out a record that says the same as the one before it.")
    var distinct = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Do --timeout, --for, --delay, --throttle, --debounce, --sample, --rate and --distinct for each value of this field.",
            valueName: "field"
        ),
        transform: FieldList.one
    )
    var by: FieldPath?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Begin with the first record for which this is true.", valueName: "expression")
    )
    var afterMatch: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End with the first record for which this is true.", valueName: "expression")
    )
    var untilMatch: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Wait for a record for which this is true: status 0 when it has come, else 1. Only new records count, unless -n or -S is given.",
            valueName: "expression"
        )
    )
    var expect: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End with status 124 when --expect has waited this long.", valueName: "duration"),
        transform: DurationArgument.init
    )
    var within: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "End with status 1 when a record comes for which this is true, with 0 when none came until the end, which --for sets.",
            valueName: "expression"
        )
    )
    var absent: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Run this command for each record, in place of showing it. It reads the record, as JSON or as -o says, and finds \
            it in its environment: RECORD_MESSAGE, RECORD_SOURCE, RECORD_TIME, RECORD_SEVERITY, RECORD_SEQUENCE, and RECORD_ with \
            the name of each field, as RECORD__PID is. There is no shell: write sh -c '…' for one.
            """,
            valueName: "command"
        ),
        transform: CommandArgument.init
    )
    var exec: CommandArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Run at most so many commands of --exec at once. Default: 1, in the order of the records. Further records wait.",
            valueName: "count"
        ),
        // Each takes two descriptors and a process.
        transform: { try WholeNumber.parse($0, in: 1...256, example: "--jobs 4") }
    )
    var jobs: Int?

    func validate() throws {
        try validateTiming()
        try validateEvents()
    }

    private func validateTiming() throws {
        let holding = [("--throttle", throttle), ("--debounce", debounce), ("--sample", sample)].filter { $0.1 != nil }
        if holding.count > 1 {
            throw ValidationError(
                "\(holding.map(\.0).joined(separator: " and ")) choose differently. Give one of them."
            )
        }
        if by != nil, timeout == nil, !timing.isUsed {
            throw ValidationError(
                "--by says for what --timeout, --for, --delay, --throttle, --debounce, --sample, --rate or --distinct is done. "
                    + "Give one of them."
            )
        }
    }

    private func validateEvents() throws {
        if expect != nil, absent != nil {
            throw ValidationError("--expect and --absent say opposite things with one exit status. Give one of them.")
        }
        if within != nil, expect == nil {
            throw ValidationError("--within says how long --expect waits. Give it too, or --for in its place.")
        }
        if jobs != nil, exec == nil {
            throw ValidationError("--jobs says how many commands of --exec run at once. Give it too.")
        }
    }

    /// Whether records have to be looked at one by one.
    var isTimed: Bool { by != nil || timing.isUsed }

    var timing: RecordTiming {
        RecordTiming(
            length: length?.duration,
            delay: delay?.duration,
            throttle: throttle?.duration,
            debounce: debounce?.duration,
            sample: sample?.duration,
            rate: rate,
            isDistinct: distinct,
            field: by
        )
    }

    /// Whether a run begins or ends with an event.
    var waitsForEvents: Bool { afterMatch != nil || untilMatch != nil || isQuestion }

    /// Whether the exit status says if something came. Old records do not count for that.
    var isQuestion: Bool { expect != nil || absent != nil }
}
