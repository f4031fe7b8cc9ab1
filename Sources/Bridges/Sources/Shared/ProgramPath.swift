import Glibc

/// Programs in the directories of `PATH`.
package enum ProgramPath {
    /// Whether there is such a program, at its path or in the directories of `PATH`.
    package static func exists(_ program: String) -> Bool {
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
