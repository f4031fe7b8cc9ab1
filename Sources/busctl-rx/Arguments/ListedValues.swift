/// Values that an option lists, and ends, when its value is `help`, as in journalctl.
enum ListedValues {
    /// The list for the last such option, a value a line; `nil` if there is none.
    static func list(in options: [NormalizedOption], of command: String) -> String? {
        options.last { $0.value == "help" && values(of: $0.name, command) != nil }
            .flatMap { values(of: $0.name, command) }?.joined(separator: "\n")
    }

    private static func values(of option: String, _ command: String) -> [String]? {
        switch option {
        case "-o", "--output": command == "count" ? CountFormat.allValueStrings : OutputFormat.allValueStrings
        case "--facility": FacilityChoice.all
        default: nil
        }
    }
}
