import Glibc

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
        guard Self.isThere(program) else {
            throw BadValue(
                description: program.contains("/")
                    ? "there is no program '\(program)' that can be run"
                    : "there is no program '\(program)' in the directories of PATH"
            )
        }
        self.program = program
        arguments = Array(words.dropFirst())
    }

    /// Whether there is such a program, at its path or in the directories of `PATH`.
    static func isThere(_ program: String) -> Bool {
        if program.contains("/") { return isProgram(program) }
        // The C library's default where PATH is not set.
        let path = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
        return path.split(separator: ":", omittingEmptySubsequences: false)
            .contains { isProgram(($0.isEmpty ? "." : $0) + "/" + program) }
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return access(path, X_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
