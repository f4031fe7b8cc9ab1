import ArgumentParser

/// The library's operators on the records. Each option is one operator.
struct TimingOptions: ParsableArguments {
    static let names = OptionTable(
        values: ["--timeout", "--for", "--delay", "--throttle", "--debounce", "--sample", "--rate", "--by"],
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
            "Do what the other options of this group say to the records of each value of this field by themselves.",
            valueName: "field"
        )
    )
    var by: String?

    func validate() throws {
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
        if by == "" { throw ValidationError("--by was given an empty name. Write the name of a field.") }
    }

    /// Whether records have to be looked at one by one.
    var isUsed: Bool { by != nil || timing.isUsed }

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
}
