import ArgumentParser

/// The filter, as it is typed beside the options.
struct FilterOperands: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The expression that selects entries, or FIELD=value … as for journalctl.",
            valueName: "filter"
        )
    )
    var filter: String?

    /// There is never more than one filter; further words were meant to be part of it.
    @Argument(help: .hidden)
    var rest: [String] = []

    /// All words.
    var all: [String] { (filter.map { [$0] } ?? []) + rest }

    func validate() throws {
        if try FieldMatches(all) == nil, let first = rest.first { throw FilterArgument.interrupted(by: first) }
    }
}
