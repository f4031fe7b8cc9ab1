import ArgumentParser
import Filter

/// The arguments after the program's name.
enum Arguments {
    static var typed: ArraySlice<String> { CommandLine.arguments.dropFirst() }

    /// The options of a command that has some.
    static func options(of command: String) -> OptionTable? {
        switch command {
        case "tail": TailCommand.options
        case "explain": ExplainCommand.options
        case "count": CountCommand.options
        case "sources": SourcesCommand.options
        case "inspect": InspectCommand.options
        case "post": PostCommand.options
        case "forward": ForwardCommand.options
        default: nil
        }
    }

    /// The name of the command that was typed.
    static var command: String? { typed.first.flatMap { options(of: $0) == nil ? nil : $0 } }

    /// The typed arguments, for the parser.
    static func normalized() throws -> [String] {
        try requireText()
        guard let command = typed.first else { return [] }
        guard let table = options(of: command) else {
            try requireCommand(command)
            return Array(typed)
        }
        let words = try ArgumentNormalizer.normalize(typed.dropFirst(), table)
        if let list = ListedValues.list(in: NormalizedOption.all(in: words, table), of: command) {
            throw CleanExit.message(list)
        }
        return [command] + words
    }

    private static let commands = ["tail", "count", "explain", "sources", "inspect", "post", "forward"]

    /// Refuses a word that is neither a command nor an option.
    private static func requireCommand(_ word: String) throws {
        guard word != "help" else { return }
        if word.hasPrefix("-") { return try requireNoOptionOfCommand(word) }
        if let nearest = Spelling.nearest(to: word, among: commands) {
            throw ValidationError("'\(word)' is no command, did you mean '\(nearest)'?")
        }
        throw ValidationError(
            "'\(word)' is no command. Write one in front: \(commands.joined(separator: ", ")), as in busctl-rx tail 'priority <= err'."
        )
    }

    /// Refuses an option that belongs behind a command.
    private static func requireNoOptionOfCommand(_ word: String) throws {
        guard options(of: "explain")?.kind(of: word).map({ if case .request = $0 { true } else { false } }) != true
        else { return }
        let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : String(word.prefix(2))
        guard let command = commands.first(where: { options(of: $0)?.kind(of: name) != nil }) else { return }
        throw ValidationError(
            "'\(name)' is an option of \(command). Write the command in front, as in busctl-rx \(command) \(word)."
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
