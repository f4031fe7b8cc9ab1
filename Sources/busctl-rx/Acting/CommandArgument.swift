import RecordSources

/// The value of `--exec`: a command as it is typed for a shell, which is not asked.
struct CommandArgument: Equatable {
    /// A path, or a name that is looked for in `PATH`.
    let program: String
    let arguments: [String]

    init(argument: String) throws {
        guard let words = CommandWords.split(argument), let program = words.first, !program.isEmpty else {
            throw BadValue(
                description:
                    "write a command as for a shell, as in --exec 'logger -t seen'; it is empty, or a quote is left open"
            )
        }
        // A misspelt name is not to be found out with the first record.
        guard ProgramPath.exists(program) else {
            throw BadValue(
                description: program.contains("/")
                    ? "there is no program '\(program)' that can be run"
                    : "there is no program '\(program)' in the directories of PATH"
            )
        }
        self.program = program
        arguments = Array(words.dropFirst())
    }
}
