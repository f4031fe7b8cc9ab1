/// The options of the configuration file that typed ones replace. Of other options the last one counts anyway.
enum ReplacedOptions {
    private static let sources = [
        "-i", "--file", "-D", "--directory", "--root", "--namespace", "-m", "--merge", "--system", "--user", "--from",
        "--label",
    ]
    /// A skew names one of the sources, and the options for a bus or for other machines belong to the sources, too.
    private static let belongings = SourceOptions.options.flatMap(\.declaration.allNames).filter {
        $0 != "--order-window"
    }
    private static let reversing = ["-r", "--reverse", "-e", "--pager-end"]
    private static let following = ["-f", "--follow"]

    private static let questions = QuestionOptions.options.flatMap(\.declaration.allNames)

    /// The options that choose entries, and those that format them: with a question there are no entries.
    private static let entries = TailCommand.table.names
        .subtracting(SourceOptions.options.flatMap(\.declaration.allNames)).subtracting(["--utc"]).sorted()

    private static let groups: [(typed: [String], replaced: [String])] = [
        (sources, belongings),
        same("--skew"),
        same("--match"),
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
        same("-n", "--lines", "--no-tail"),
        (questions, entries),
        same("--highlight"),
        // -C is both of the others, and each of them more than -C.
        (["-C", "--context"], ["-C", "--context", "--before-context", "--after-context"]),
        // Reading from the end does not follow.
        (reversing, following),
        (following, reversing),
    ]

    private static func same(_ names: String...) -> (typed: [String], replaced: [String]) { (names, names) }

    /// Options that make no sense in a format for programs.
    private static let aids = ["--highlight", "--time-gap"]

    static func names(replacedBy typed: [Word]) -> Set<String> {
        let names = Set(typed.compactMap(\.option))
        let replaced = groups.filter { !names.isDisjoint(with: $0.typed) }.flatMap(\.replaced)
        return Set(replaced + (isForPrograms(typed) ? aids : []))
    }

    private static func isForPrograms(_ typed: [Word]) -> Bool {
        guard !typed.contains(where: { $0.option == "--template" }) else { return false }
        let format = typed.last { ["-o", "--output"].contains($0.option) }.flatMap { OutputFormat(argument: $0.value) }
        return format?.isForPeople == false
    }
}
