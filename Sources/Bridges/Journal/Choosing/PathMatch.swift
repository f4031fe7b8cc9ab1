import Glibc

/// A path in place of `FIELD=value`, as in journalctl.
package enum PathMatch {
    /// The kernel keeps so many bytes of a program's name.
    private static let maxNameLength = 15

    /// Whether an argument is a path. Two slashes begin a comment of a filter.
    package static func isOne(_ argument: String) -> Bool { argument.hasPrefix("/") && !argument.hasPrefix("//") }

    /// `_EXE=` for a program, `_COMM=` for a script, which another program runs; for a device `_KERNEL_DEVICE=` of it and of
    /// those that it belongs to, in this boot. Links are followed.
    static func matches(for path: String) throws(JournalMatchError) -> [String] {
        guard let resolved = realpath(path, nil) else { throw objection(to: path, String(cString: strerror(errno))) }
        defer { free(resolved) }
        guard let target = String(validatingCString: resolved) else {
            throw objection(to: path, "it leads to a name that is not UTF-8 text")
        }
        var status = stat()
        guard stat(target, &status) == 0 else { throw objection(to: path, String(cString: strerror(errno))) }
        switch status.st_mode & S_IFMT {
        case S_IFCHR, S_IFBLK:
            return DeviceName.all(of: status).map { "_KERNEL_DEVICE=\($0)" }
                + (MachineBoot.current.map { ["_BOOT_ID=\($0)"] } ?? [])
        case S_IFREG where status.st_mode & 0o111 != 0:
            guard FileBeginning.bytes(of: target, 2) == Array("#!".utf8) else { return ["_EXE=\(target)"] }
            return ["_COMM=\(try scriptName(target))"]
        case S_IFREG:
            throw objection(to: path, "it is neither a program nor a device", JournalMatchError.fileAdvice)
        default: throw objection(to: path, "it is neither a program nor a device")
        }
    }

    private static func scriptName(_ path: String) throws(JournalMatchError) -> String {
        let name = path.split(separator: "/").last ?? ""
        if let cut = String(validating: name.utf8.prefix(maxNameLength), as: UTF8.self) { return cut }
        var start = name
        while start.utf8.count > maxNameLength { start.removeLast() }
        throw JournalMatchError(
            "The kernel cuts the name of the script '\(path)' within a letter. "
                + "Write '_COMM.startsWith(\(FilterText.quoted(String(start))))'."
        )
    }

    private static func objection(to path: String, _ reason: String, _ advice: String? = nil) -> JournalMatchError {
        JournalMatchError(
            "'\(path)' stands for the program or device there: \(reason). "
                + (advice ?? "For a program that is not on this machine, write '_EXE=\(path)'.")
        )
    }
}
