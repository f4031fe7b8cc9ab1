/// What `-h` and `--help` show.
enum HelpText {
    /// The most used options, on one screen of 24 lines.
    static func brief<Of: Command>(of command: Of.Type) -> String {
        let operands = command.operands.map { ("<\($0.name)>", $0.help) }
        let options = command.table.declarations.compactMap { option in option.brief.map { (option.synopsis, $0) } }
        // A filter is explained by --help.
        let entries = (options.isEmpty ? operands : []) + options
        let column = (entries.map(\.0.count).max() ?? 0) + 4
        let lines = entries.map { name, text in "  \(name)\(spaces(column - 2 - name.count))\(text)\n" }
        return
            "Usage: \(folded(command.usage, at: 7, 80))\n\(command.summary)\n\n\(lines.joined())\(entries.isEmpty ? "" : "\n")"
            + "All options: \(BusctlRx.name) \(command.name) --help, man \(BusctlRx.name)-\(command.name)"
    }

    private static let textColumn = 26

    private static var width: Int { max(StandardDescriptors.outputWidth ?? 80, 2 * textColumn) }

    static func of<Of: Command>(_ command: Of.Type, width: Int = width) -> String {
        var text = folded("OVERVIEW: \(command.summary)", at: 0, width)
        text +=
            "\n\n"
            + command.discussion.split(separator: "\n", omittingEmptySubsequences: false)
            // Lines that are indented are examples.
            .map { $0.hasPrefix(" ") ? String($0) : folded($0, at: 0, width) }.joined(separator: "\n")
        text += "\n\nUSAGE: \(command.usage)\n"
        text += section("ARGUMENTS", command.operands.map { ("<\($0.name)>", $0.help) }, width)
        let declarations = command.table.declarations
        var titles: [String] = []
        for title in declarations.map(\.section) where !title.isEmpty && !titles.contains(title) {
            titles.append(title)
        }
        for title in titles + [""] {
            let entries = declarations.filter { $0.section == title }.map { ($0.synopsis, help(of: $0)) }
            text += section(title.isEmpty ? "OPTIONS" : title.uppercased(), entries, width)
        }
        return text
    }

    /// The help of the whole program.
    static func ofProgram(width: Int = width) -> String {
        let requests = OptionTable([]).declarations.map { ($0.synopsis, $0.help) }
        let commands = BusctlRx.commands.map { ($0.name, $0.summary) }
        return folded("OVERVIEW: \(BusctlRx.summary)", at: 0, width) + "\n\nUSAGE: \(BusctlRx.name) <command>\n"
            + section("OPTIONS", requests, width) + section("COMMANDS", commands, width)
            + "\n  See '\(BusctlRx.name) help <command>' for detailed help."
    }

    private static func help(of option: OptionDeclaration) -> String {
        guard !option.choices.isEmpty else { return option.help }
        let rest = option.defaultValue.map { "; default: \($0)" } ?? ""
        return "\(option.help) (values: \(option.choices.joined(separator: ", "))\(rest))"
    }

    private static func section(_ title: String, _ entries: [(name: String, help: String)], _ width: Int) -> String {
        guard !entries.isEmpty else { return "" }
        let lines = entries.map { name, help in
            let isWide = name.count + 2 >= textColumn
            let gap = isWide ? "\n" + spaces(textColumn) : spaces(textColumn - 2 - name.count)
            return "  \(name)\(gap)\(folded(help, at: textColumn, width))\n"
        }
        return "\n\(title):\n\(lines.joined())"
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    /// Breaks lines between words.
    ///
    /// - Parameter column: where the text begins, and where further lines begin.
    private static func folded(_ text: some StringProtocol, at column: Int, _ width: Int) -> String {
        var result = ""
        var used = column
        for word in text.split(separator: " ") {
            if used > column, used + 1 + word.count >= width {
                result += "\n" + spaces(column)
                used = column
            } else if used > column {
                result += " "
                used += 1
            }
            result += word
            used += word.count
        }
        return result
    }
}
