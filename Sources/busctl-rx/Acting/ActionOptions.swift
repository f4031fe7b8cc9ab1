import ArgumentParser

/// The action for each record in place of showing it.
struct ActionOptions: ParsableArguments {
    static let names = OptionTable(values: ["--exec", "--jobs"], flags: [])

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
            "How many commands of --exec may run at once. Default: 1, in the order of the records. Further records wait.",
            valueName: "count"
        ),
        transform: JobCount.init
    )
    var jobs: JobCount?

    var isUsed: Bool { exec != nil }

    func validate() throws {
        if jobs != nil, exec == nil {
            throw ValidationError("--jobs says how many commands of --exec run at once. Give it too.")
        }
    }
}
