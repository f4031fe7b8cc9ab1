import Glibc

/// Where the files of a journal are, and which there are.
struct JournalFolders {
    let source: JournalSource

    static let roots = ["/var/log/journal", "/run/log/journal"]

    /// The contents of the folders.
    struct Listing {
        var paths: [String] = []
        /// The folders that were looked through. New files in them, and new folders, belong to the journal.
        var folders: [String] = []
        /// Folders that should be there and are not, or cannot be read.
        var missing: [(path: String, errno: Int32)] = []

        /// Whether all folders that there are were looked through.
        var isWhole: Bool { missing.allSatisfy { $0.errno == ENOENT } }
    }

    /// The folders, whether or not they exist. Files that are named are looked for in theirs.
    var folders: [String] {
        switch source {
        case .files(let paths):
            var seen: Set<String> = []
            return paths.map { Self.folder(of: $0) }.filter { seen.insert($0).inserted }
        case .directory(let path): return [path]
        case .namespace(let name): return Self.roots.map { "\($0)/\(MachineID.text ?? "").\(name)" }
        case .system: return Self.roots.map { "\($0)/\(MachineID.text ?? "")" }
        }
    }

    /// The journal files there are now, in the order in which the system lists them.
    func list() -> Listing {
        var listing = Listing()
        if case .files(let paths) = source {
            listing.paths = paths
            listing.folders = folders
            return listing
        }
        for folder in folders { Self.list(folder, depth: 0, &listing) }
        return listing
    }

    /// A folder, and those in it that are named after a machine.
    private static func list(_ folder: String, depth: Int, _ listing: inout Listing) {
        guard let names = names(in: folder) else {
            listing.missing.append((folder, errno))
            return
        }
        listing.folders.append(folder)
        for name in names {
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".journal") || name.hasSuffix(".journal~") {
                listing.paths.append(path)
            } else if depth == 0, MachineID.isIdentifier(name.prefix { $0 != "." }),
                FileStatus(at: path)?.isDirectory == true
            {
                list(path, depth: 1, &listing)
            }
        }
    }

    /// - Throws: where the journal does not exist, with what can be done about it.
    func check(follow: Bool) throws(JournalError) {
        switch source {
        case .files(let paths):
            if paths.isEmpty { throw JournalError("read journal files", reason: "none were named", errno: EINVAL) }
        case .directory(let path): try Self.check(directory: path, follow: follow)
        case .namespace(let name): try Self.check(namespace: name, exists: folders.contains { Self.isDirectory($0) })
        case .system:
            guard !folders.contains(where: { Self.isDirectory($0) }) else { return }
            throw JournalError(
                "open this machine's journal",
                reason: "there is none under \(Self.roots[0]) or \(Self.roots[1])",
                advice: "Is systemd-journald running? Other journals are read with --file, --directory or --namespace.",
                errno: ENOENT
            )
        }
    }

    private static func check(directory path: String, follow: Bool) throws(JournalError) {
        guard let status = FileStatus(at: path) else {
            throw JournalError("open the journal directory", path, errno: errno)
        }
        guard status.isDirectory else {
            throw JournalError(
                "open the journal directory",
                path,
                reason: "it is not a directory",
                advice: "Name a single journal file with --file.",
                errno: ENOTDIR
            )
        }
        var listing = Listing()
        list(path, depth: 0, &listing)
        if let (path, code) = listing.missing.first, listing.paths.isEmpty {
            throw JournalError("read the journal directory", path, errno: code)
        }
        guard listing.paths.isEmpty, !follow else { return }
        throw JournalError(
            "read the journal directory",
            path,
            reason: "there is no journal file in it (*.journal)",
            advice: "Look for them with: find / -name '*.journal'",
            errno: ENOENT
        )
    }

    private static func check(namespace name: String, exists: Bool) throws(JournalError) {
        guard let machine = MachineID.text else {
            throw JournalError(
                "find the journal of namespace",
                name,
                reason: "/etc/machine-id cannot be read",
                errno: ENOENT
            )
        }
        guard !exists else { return }
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
            reason: "it does not exist: no \(roots[1])/\(machine).\(name), nor under \(roots[0])",
            advice: advice,
            errno: ENOENT
        )
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func isDirectory(_ path: String) -> Bool { FileStatus(at: path)?.isDirectory == true }

    /// `nil` and `errno` where the directory cannot be read.
    static func names(in directory: String) -> [String]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // d_name ends with a zero byte inside the entry that readdir just filled in.
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            )
        }
        return names
    }
}
