import Filter

/// The arguments after the program's name.
enum Arguments {
    static var typed: ArraySlice<String> { CommandLine.arguments.dropFirst() }

    /// The command of that name.
    static func command(named name: String) -> (any Command.Type)? { BusctlRx.commands.first { $0.name == name } }

    /// The name of the command that was typed.
    static var command: String? { typed.first.flatMap { command(named: $0)?.name } }

    /// The command that was typed, with its values.
    static func parse() throws -> any Command {
        try requireText()
        guard let first = typed.first, first != "help" else { throw Answer(text: try help(typed.dropFirst())) }
        guard let command = command(named: first) else {
            if ["-h", "--help"].contains(first) { throw Answer(text: HelpText.ofProgram()) }
            if first == "--version" { throw Answer(text: BusctlRx.build) }
            throw refusal(of: first)
        }
        let table = command.table
        let words = try ArgumentNormalizer.normalize(typed.dropFirst(), table)
        if let list = ListedValues.list(in: words, table) { throw Answer(text: list) }
        return try command == TailCommand.self ? ConfiguredCommand.parse(words, table) : command.parse(words)
    }

    private static func help(_ words: ArraySlice<String>) throws -> String {
        guard let name = words.first else { return HelpText.ofProgram() }
        guard let command = command(named: name) else { throw refusal(of: name) }
        return HelpText.of(command)
    }

    /// The message about a word where a command is expected.
    private static func refusal(of word: String) -> any Error {
        if word.hasPrefix("-") {
            let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : String(word.prefix(2))
            guard let command = BusctlRx.commands.first(where: { $0.table.kind(of: name) != nil }) else {
                return UsageError.unknownOption(name, argument: word, nearest: OptionTable([]).nearest(to: name))
            }
            return ValidationError(
                "'\(name)' is an option of \(command.name). Write the command in front, as in busctl-rx \(command.name) \(word)."
            )
        }
        let names = BusctlRx.commands.map { $0.name }
        if let nearest = Spelling.nearest(to: word, among: names) {
            return ValidationError("'\(word)' is no command, did you mean '\(nearest)'?")
        }
        return ValidationError(
            "'\(word)' is no command. Write one in front: \(names.joined(separator: ", ")), as in busctl-rx tail 'priority <= err'."
        )
    }

    /// Refuses arguments that are not UTF-8: decoded with replacement characters they would name another file, or
    /// another text to look for.
    private static func requireText() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            // argv has argc strings, each ended by a zero byte, and nobody changes them.
            guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
                continue
            }
            throw ValidationError(
                "Argument \(index), '\(String(cString: argument))', is not UTF-8 text. A file with such a name can be read "
                    + "through a symbolic link, or with --from export:- through standard input."
            )
        }
    }
}
