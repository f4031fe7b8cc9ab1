import Records

/// The commands and their options with their help.
enum CommandHelp {
    static var commands: [Candidate] {
        BusctlRx.commands.map { Candidate(text: $0.name, help: sentence($0.summary[...])) } + [
            Candidate(text: "help", help: "Show how a command is used"),
            Candidate(text: "--help", help: "Show help information"),
            Candidate(text: "--version", help: "Show the version"),
        ]
    }

    static func options(of command: String) -> [Candidate] {
        (Arguments.command(named: command)?.table.declarations ?? []).flatMap { option in
            option.allNames.map { Candidate(text: $0, help: sentence(option.help[...])) }
        }
    }

    /// The first sentence, without its full stop.
    private static func sentence(_ text: Substring) -> String {
        let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
        let sentence = text[..<end]
        return String(sentence.last == "." ? sentence.dropLast() : sentence)
    }

    // MARK: The manual pages

    /// No option and no command looks like this. It is for the script that makes the manual pages.
    static let request = "---describe"

    /// All commands and options as JSON.
    static var description: String {
        let commands = BusctlRx.commands.map { command in
            let options = command.table.declarations.map(Self.json(of:))
            return object(
                [
                    ("name", string(command.name)), ("summary", string(command.summary)),
                    ("usage", string(command.usage)),
                    ("discussion", string(command.discussion)), ("options", array(options)),
                ]
            )
        }
        return object(
            [
                ("name", string(BusctlRx.name)), ("summary", string(BusctlRx.summary)), ("commands", array(commands)),
            ]
        )
    }

    private static func json(of option: OptionDeclaration) -> String {
        object(
            [
                ("names", array(option.allNames.map(string))), ("value", string(option.valueName)),
                ("choices", array(option.choices.map(string))), ("default", string(option.defaultValue ?? "")),
                ("section", string(option.section)), ("help", string(option.help)),
            ]
        )
    }

    private static func string(_ text: String) -> String {
        var output = OutputBuffer()
        output.append(json: text)
        return output.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    private static func array(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

    private static func object(_ members: [(String, String)]) -> String {
        "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }
}
