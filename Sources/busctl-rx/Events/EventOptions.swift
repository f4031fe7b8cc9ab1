import ArgumentParser

/// The events that a run waits for. Each option is one operator.
struct EventOptions: ParsableArguments {
    static let names = OptionTable(
        values: ["--after-match", "--until-match", "--expect", "--within", "--absent"],
        flags: []
    )

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
        help: ArgumentHelp("How long --expect waits before it ends with status 124.", valueName: "duration"),
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

    func validate() throws {
        if expect != nil, absent != nil {
            throw ValidationError("--expect and --absent say opposite things with one exit status. Give one of them.")
        }
        if within != nil, expect == nil {
            throw ValidationError("--within says how long --expect waits. Give it too, or --for in its place.")
        }
    }

    /// Whether there is anything to be done.
    var isUsed: Bool { afterMatch != nil || untilMatch != nil || isQuestion }

    /// Whether the exit status says if something came. Old records do not count for that.
    var isQuestion: Bool { expect != nil || absent != nil }
}
