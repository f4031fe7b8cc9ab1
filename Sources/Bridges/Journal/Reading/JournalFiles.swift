import Glibc

/// What can be said about a source's files before libsystemd opens them: it leaves out what it cannot read without a
/// word.
struct JournalFiles {
    /// What is to be opened, where the source names files.
    var paths: [String] = []
    /// What is known to be missing from the start.
    var gaps: [JournalGap] = []
    /// The copies that stand in for damaged files.
    private(set) var salvaged: [SalvagedFile] = []

    /// Whether the paths must be opened one by one, although the source is a directory.
    var areNamed: Bool { !salvaged.isEmpty }

    /// - Throws: where nothing at all can be read, or a place does not exist.
    static func examine(_ source: JournalSource, follow: Bool) throws(JournalError) -> JournalFiles {
        switch source {
        case .files(let paths): return try files(paths, follow: follow)
        case .directory(let path): return try directory(path, follow: follow)
        case .namespace(let name): return try namespace(name, follow: follow)
        case .system: return try system(follow: follow)
        }
    }

    private static func files(_ paths: [String], follow: Bool) throws(JournalError) -> JournalFiles {
        var found = JournalFiles()
        var first: JournalError?
        for path in paths {
            do throws(JournalError) {
                let header = try JournalFileHeader.check(path)
                // What is being written and followed is left to libsystemd: a copy would not grow.
                let isLeft = follow && header.isBeingWritten && header.isComplete
                if isLeft || JournalFileHeader.isIntact(path, header) {
                    found.paths.append(path)
                } else {
                    try found.salvage(path, header)
                }
            } catch {
                first = first ?? error
                found.gaps.append(JournalGap(.unreadable, path: path, errno: error.errno == 0 ? nil : error.errno))
            }
        }
        if found.paths.isEmpty {
            throw first ?? JournalError("read journal files", reason: "none were named", errno: EINVAL)
        }
        return found
    }

    /// Puts a copy in the place of a damaged file.
    private mutating func salvage(_ path: String, _ header: JournalFileHeader) throws(JournalError) {
        let file = try SalvagedFile.salvage(path, header)
        salvaged.append(file)
        paths.append(file.path)
        let lost = Int(clamping: header.entryCount) - file.entryCount
        gaps.append(JournalGap(.damaged, path: path, lost: lost >= 0 ? lost : nil))
    }

    /// Takes a file of a directory, or a copy of what is left of it. While following it is left to libsystemd, which
    /// watches the directory and could not watch a copy.
    private mutating func add(_ path: String, follow: Bool) throws(JournalError) {
        do throws(JournalError) {
            let header = try JournalFileHeader.check(path)
            if follow || header.isComplete {
                paths.append(path)
                if !header.isComplete { gaps.append(JournalGap(.damaged, path: path)) }
            } else {
                try salvage(path, header)
            }
        } catch  where error.errno == ENODATA {
            // Just made, and not even its header is written.
            paths.append(path)
        }
    }

    private static func directory(_ path: String, follow: Bool) throws(JournalError) -> JournalFiles {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw JournalError("open the journal directory", path, errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw JournalError(
                "open the journal directory",
                path,
                reason: "it is not a directory",
                advice: "Name a single journal file with --file.",
                errno: ENOTDIR
            )
        }
        let found = try list([path], follow: follow)
        if found.paths.isEmpty, !follow {
            throw JournalError(
                "read the journal directory",
                path,
                reason: "there is no journal file in it (*.journal)",
                advice: "Look for them with: find / -name '*.journal'",
                errno: ENOENT
            )
        }
        return found
    }

    private static func namespace(_ name: String, follow: Bool) throws(JournalError) -> JournalFiles {
        guard let machine = MachineID.text else {
            throw JournalError(
                "find the journal of namespace",
                name,
                reason: "/etc/machine-id cannot be read",
                errno: ENOENT
            )
        }
        let directories = roots.map { "\($0)/\(machine).\(name)" }.filter { isDirectory($0) }
        if directories.isEmpty {
            let others = Set(
                roots.flatMap { names(in: $0) ?? [] }.filter { $0.hasPrefix("\(machine).") }.map { $0.dropFirst(33) }
            )
            let advice =
                others.isEmpty
                ? "This machine has no journal namespaces; units get one by LogNamespace=."
                : "There are: \(others.sorted().joined(separator: ", "))."
            throw JournalError(
                "open the journal namespace",
                name,
                reason: "it does not exist: no \(roots[0])/\(machine).\(name), nor under \(roots[1])",
                advice: advice,
                errno: ENOENT
            )
        }
        return try list(directories, follow: follow)
    }

    private static func system(follow: Bool) throws(JournalError) -> JournalFiles {
        let machine = MachineID.text ?? ""
        let directories = roots.map { "\($0)/\(machine)" }.filter { isDirectory($0) }
        if directories.isEmpty {
            throw JournalError(
                "open this machine's journal",
                reason: "there is none under \(roots[0]) or \(roots[1])",
                advice: "Is systemd-journald running? Other journals are read with --file, --directory or --namespace.",
                errno: ENOENT
            )
        }
        return try list(directories, follow: follow)
    }

    /// The journal files in the directories, and in their subdirectories that are named after a machine.
    private static func list(_ directories: [String], follow: Bool) throws(JournalError) -> JournalFiles {
        var found = JournalFiles()
        var refused: JournalError?
        var remaining = directories
        var depth = 0
        while !remaining.isEmpty, depth < 2 {
            var deeper: [String] = []
            for directory in remaining {
                guard let names = names(in: directory) else {
                    refused = refused ?? JournalError("read the journal directory", directory, errno: errno)
                    continue
                }
                for name in names {
                    let path = "\(directory)/\(name)"
                    if name.hasSuffix(".journal") || name.hasSuffix(".journal~") {
                        do throws(JournalError) {
                            try found.add(path, follow: follow)
                        } catch  where error.errno != ENOENT {
                            refused = refused ?? error
                            found.gaps.append(JournalGap(.unreadable, path: path, errno: error.errno))
                        } catch {
                            // Deleted since the directory was read.
                        }
                    } else if MachineID.isIdentifier(name.prefix { $0 != "." }), isDirectory(path) {
                        deeper.append(path)
                    }
                }
            }
            remaining = deeper
            depth += 1
        }
        if found.paths.isEmpty, let refused { throw refused }
        return found
    }

    private static let roots = ["/var/log/journal", "/run/log/journal"]

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// `nil` and `errno` where the directory cannot be read.
    private static func names(in directory: String) -> [String]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // d_name ends with a zero byte inside the entry that readdir just filled in.
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            )
        }
        return names.sorted()
    }
}
