import JournalBridge

/// Values that an option lists, and ends, when its value is `help`, as in journalctl.
enum ListedValues {
    /// The list for the last such option, a value a line; `nil` if there is none.
    static func list(in words: [Word], _ options: OptionTable) -> String? {
        let lists = words.compactMap { word in
            word.value == "help" ? word.option.flatMap { values(of: $0, options) } : nil
        }
        return lists.last?.joined(separator: "\n")
    }

    private static func values(of option: String, _ options: OptionTable) -> [String]? {
        switch option {
        case "-o", "--output": options.declaration(of: option)?.choices
        case "--facility": EntryChoice.facilityNames
        default: nil
        }
    }
}
