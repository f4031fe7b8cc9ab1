import ArgumentParser

/// The commands and their options with their help.
enum CommandHelp {
    static var commands: [Candidate] {
        BusctlRx.configuration.subcommands.map {
            Candidate(text: $0.configuration.commandName ?? "", help: sentence($0.configuration.abstract[...]))
        } + [
            Candidate(text: "help", help: "Show how a command is used"),
            Candidate(text: "--help", help: "Show help information"),
            Candidate(text: "--version", help: "Show the version"),
        ]
    }

    static func options(of command: String) -> [Candidate] {
        guard let type = BusctlRx.configuration.subcommands.first(where: { $0.configuration.commandName == command })
        else { return [] }
        return options(in: BusctlRx.helpMessage(for: type, columns: 100_000))
    }

    /// In the help a line `  -n, --lines <count>  text` describes an option. After long names the text is on the next
    /// line.
    private static func options(in help: String) -> [Candidate] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.filter { lines[$0].hasPrefix("  -") }.flatMap { index in
            let parts = lines[index].dropFirst(2).split(separator: " ", omittingEmptySubsequences: false)
            let names = parts.prefix { $0.hasPrefix("-") }.flatMap { $0.split(whereSeparator: { ",/".contains($0) }) }
            let rest = parts.drop { $0.hasPrefix("-") || $0.hasPrefix("<") }.joined(separator: " ")
            let text = rest.isEmpty ? lines[index + 1] : rest[...]
            return names.map { Candidate(text: String($0), help: sentence(text.drop { $0 == " " })) }
        }
    }

    /// The first sentence, without its full stop.
    private static func sentence(_ text: Substring) -> String {
        let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
        let sentence = text[..<end]
        return String(sentence.last == "." ? sentence.dropLast() : sentence)
    }
}
