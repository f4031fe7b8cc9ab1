/// Which options of the configuration file give way to those that were typed. Of other options the last one counts anyway.
enum ReplacedOptions {
    private static let sources = ["--file", "-D", "--directory", "--namespace", "--from", "--label"]

    private static let questions = QuestionOptions.names.names.subtracting(OptionTable().names).sorted()

    /// What says which entries are shown, and how: with a question there are none.
    private static let entries = TailCommand.options.names
        .subtracting(SourceOptions.names.names).subtracting(["--utc"]).sorted()

    private static let groups: [(typed: [String], replaced: [String])] = [
        // A skew names one of the sources.
        (sources, sources + ["--skew"]),
        same("--skew"),
        same("-u", "--unit", "--user-unit"),
        same("-t", "--identifier"),
        same("-T", "--exclude-identifier"),
        same("--facility"),
        // Only one of these can be given.
        same("--throttle", "--debounce", "--sample"),
        same("--expect", "--absent"),
        same("--cursor-file", "--after-cursor"),
        same("-o", "--output", "--template"),
        same("-I", "--invocation"),
        (questions, entries),
    ]

    private static func same(_ names: String...) -> (typed: [String], replaced: [String]) { (names, names) }

    static func names(replacedBy typed: Set<String>) -> Set<String> {
        Set(groups.filter { !typed.isDisjoint(with: $0.typed) }.flatMap(\.replaced))
    }
}
