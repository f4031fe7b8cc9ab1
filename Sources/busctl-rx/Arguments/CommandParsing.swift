import ArgumentParser

extension BusctlRx {
    /// Parses a command line as `parseAsRoot` does, in less time.
    ///
    /// `parseAsRoot` collects the options of a command once more before it descends to the command. This method calls
    /// the command's own parser instead. If that parser refuses the words or finds a request for help, the parser of
    /// the whole program handles them, because its messages also name the program.
    static func parseCommand(_ words: [String]) throws -> any ParsableCommand {
        let command = configuration.subcommands.first { $0.configuration.commandName == words.first }
        if let command, let parsed = try? command.parseAsRoot(Array(words.dropFirst())), type(of: parsed) == command {
            return parsed
        }
        return try parseAsRoot(words)
    }
}
