import ArgumentParser

/// The filter, as it is typed beside the options.
struct FilterOperands: ParsableArguments {
    static let names = OptionTable(flags: ["--no-config"])

    @Flag(help: "Leave out the configuration file, with its options and filters.")
    var noConfig = false

    @Argument(
        help: ArgumentHelp(
            "The expression that selects entries, or FIELD=value … or paths as for journalctl; and @name … of the configuration file.",
            valueName: "filter"
        )
    )
    var filter: String?

    /// There is never more than one filter; further words were meant to be part of it.
    @Argument(help: .hidden)
    var rest: [String] = []

    /// All words.
    var all: [String] { (filter.map { [$0] } ?? []) + rest }

    /// The operands that are a filter, or parts of one.
    var typed: [String] { all.filter { !KeptFilter.isCalled(by: $0) } }

    /// The filters of the configuration file that are called by their names. Without one, the file is not looked at.
    func kept() throws(ConfigurationError) -> [KeptFilter] {
        let names = all.filter(KeptFilter.isCalled)
        guard let first = names.first else { return [] }
        guard !noConfig else {
            throw ConfigurationError("'\(first)' is unknown, because --no-config leaves out the configuration file")
        }
        guard let configuration = try Configuration.current.get() else {
            let place = Configuration.place.map { "there is no file \($0.path)" } ?? "no configuration file is read"
            throw ConfigurationError("'\(first)' is unknown: \(place)")
        }
        var filters: [KeptFilter] = []
        for name in names { filters.append(try configuration.filter(for: name)) }
        return filters
    }

    func validate() throws {
        if try FieldMatches(typed) == nil, typed.count > 1 { throw FilterArgument.interrupted(by: typed[1]) }
    }
}
