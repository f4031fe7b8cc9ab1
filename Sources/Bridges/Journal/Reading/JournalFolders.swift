import Bus
import Glibc
import Loop
import SystemPackage

/// The folders of a journal, and the files in them.
struct JournalFolders {
    /// Not one of kinds.
    let source: JournalSource
    /// The kinds of files; `nil` for all.
    private let kinds: JournalKinds?

    static let roots = ["/var/log/journal", "/run/log/journal"]
    /// The folder for journals of other machines.
    private static let remote = "/var/log/journal/remote"

    init(source: JournalSource) {
        var (source, kinds) = (source, JournalKinds?.none)
        while case .kinds(let some, let other) = source {
            (source, kinds) = (other, kinds.map { $0.intersection(some) } ?? some)
        }
        (self.source, self.kinds) = (source, kinds)
    }

    /// The contents of the folders.
    struct Listing {
        var paths: [String] = []
        /// The folders that were listed. New files in them, and new folders, belong to the journal.
        var folders: [String] = []
        /// Files whose names are not text, each with a mark in place of what is not. They are not opened.
        var illegible: [String] = []
        /// Folders that should be there and are not, or cannot be read.
        var missing: [(path: String, errno: Int32)] = []

        /// Whether all folders that there are were listed.
        var isWhole: Bool { missing.allSatisfy { $0.errno == ENOENT } }
    }

    /// The folders, whether or not they exist. Files that are named are searched for in theirs.
    var folders: [String] {
        switch source {
        case .files(let paths):
            var seen: Set<String> = []
            return paths.map { Self.folder(of: $0) }.filter { seen.insert($0).inserted }
        case .directory(let path): return [path]
        case .namespace("*"): return Self.roots
        case .namespace(let name):
            let machine = MachineID.text ?? ""
            return Self.roots.flatMap { root in
                name.first == "+"
                    ? ["\(root)/\(machine)", "\(root)/\(machine).\(name.dropFirst())"] : ["\(root)/\(machine).\(name)"]
            }
        case .machines: return Self.roots + [Self.remote]
        case .root(let path): return (Self.roots + [Self.remote]).map { path + $0 }
        case .system, .kinds: return Self.roots.map { "\($0)/\(MachineID.text ?? "")" }
        }
    }

    /// The present journal files, in the order in which the system lists them.
    func list() -> Listing {
        var listing = Listing()
        if case .files(let paths) = source {
            listing.paths = paths
            listing.folders = folders
            return listing
        }
        for folder in folders { list(folder, depth: 0, &listing) }
        return listing
    }

    /// The journal files in the same folders that are not read because of their kinds or names.
    var others: [String] {
        if let kinds {
            return JournalFolders(source: source).list().paths.filter { !kinds.have(Self.name(of: $0)) }
        }
        guard case .files(let paths) = source else { return [] }
        // `system`, of the file that is written to and of those that were rotated away.
        let read = Set(paths.map { Self.journal(of: $0) })
        return folders.flatMap { folder in Self.names(in: folder).names.map { "\(folder)/\($0)" } }.filter {
            Self.isJournal($0) && !read.contains(Self.journal(of: $0))
        }
    }

    private static func name(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    private static func isJournal(_ name: String) -> Bool { name.hasSuffix(".journal") || name.hasSuffix(".journal~") }

    private static func journal(of path: String) -> Substring {
        let name = name(of: path)
        return name.prefix { $0 != "@" && $0 != "." }
    }

    /// A folder, and the folders in it that are named after a machine.
    private func list(_ folder: String, depth: Int, _ listing: inout Listing) {
        let (names, illegible, code) = Self.names(in: folder)
        if code != 0 { listing.missing.append((folder, code)) }
        if code != 0, names.isEmpty { return }
        listing.folders.append(folder)
        let unread = illegible.filter { Self.isJournal($0) && kinds?.have($0) ?? true }
        listing.illegible += unread.map { "\(folder)/\($0)" }
        for name in names {
            let path = "\(folder)/\(name)"
            if Self.isJournal(name) {
                if kinds?.have(name) ?? true { listing.paths.append(path) }
            } else if depth == 0, isMachine(name), FileStatus(at: path)?.isDirectory == true {
                list(path, depth: 1, &listing)
            }
        }
    }

    /// Whether a folder of that name belongs to the journal: that of a machine, or of a namespace of one.
    private func isMachine(_ folder: String) -> Bool {
        let parts = folder.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard MachineID.isIdentifier(parts[0]) else { return false }
        let namespace = parts.count > 1 ? String(parts[1]) : nil
        return switch source {
        case .machines(let wanted): JournalNamespaces.does(wanted, mean: namespace)
        case .namespace("*"): parts[0] == MachineID.text ?? ""
        case .root: namespace == nil
        case .system, .files, .directory, .namespace, .kinds: true
        }
    }

    /// - Throws: a ``JournalError`` with advice, where the journal does not exist.
    func check(follow: Bool) throws(JournalError) {
        try checkPlaces(follow: follow)
        guard let kinds, !isNamed, !follow, list().paths.isEmpty else { return }
        throw JournalError(
            "find a journal of that kind",
            reason: "there is no file \(kinds.fileNames) in \(folders.joined(separator: " or "))",
            advice: kinds.contains(.user)
                ? "Users have journals of their own where journald keeps journals on disk." : nil,
            errno: ENOENT
        )
    }

    /// Whether the files were named one by one.
    var isNamed: Bool { if case .files = source { true } else { false } }

    private func checkPlaces(follow: Bool) throws(JournalError) {
        switch source {
        case .files(let paths):
            if paths.isEmpty { throw JournalError("read journal files", reason: "none were named", errno: EINVAL) }
        case .directory(let path): try check(directory: path, follow: follow)
        case .root(let path): try Self.check(root: path, exists: folders.contains { Self.isDirectory($0) })
        case .namespace(let name) where name != "*":
            try Self.check(namespace: name, exists: folders.contains { Self.isDirectory($0) })
        case .system, .machines, .kinds, .namespace:
            guard !folders.contains(where: { Self.isDirectory($0) }) else { return }
            throw JournalError(
                "open this machine's journal",
                reason: "there is none under \(Self.roots[0]) or \(Self.roots[1])",
                advice:
                    "Is systemd-journald running? Another journal is read by its files, its directory, its root or its namespace.",
                errno: ENOENT
            )
        }
    }

    private static func check(root path: String, exists: Bool) throws(JournalError) {
        guard let status = FileStatus(at: path) else {
            throw JournalError("open the root directory", path, errno: errno)
        }
        guard !exists else { return }
        throw JournalError(
            "find a journal under the root directory",
            path,
            reason: status.isDirectory ? "it has no \(roots[0]) and no \(roots[1])" : "it is not a directory",
            advice: "Journal files in a directory are read with --directory.",
            errno: status.isDirectory ? ENOENT : ENOTDIR
        )
    }

    private func check(directory path: String, follow: Bool) throws(JournalError) {
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
        guard listing.paths.isEmpty, !follow, kinds == nil else { return }
        throw JournalError(
            "read the journal directory",
            path,
            reason: "there is no journal file in it (*.journal)",
            advice: "Look for them with: find / -name '*.journal'",
            errno: ENOENT
        )
    }

    private static func check(namespace name: String, exists: Bool) throws(JournalError) {
        let machine: String
        do throws(Errno) {
            machine = try MachineID.read()
        } catch {
            throw JournalError(
                "find the journal of namespace",
                name,
                reason: "\(MachineID.path) cannot be read: \(SystemError.text(error.rawValue))",
                errno: error.rawValue
            )
        }
        guard !exists else { return }
        let others = Set(
            roots.flatMap { names(in: $0).names }.filter { $0.hasPrefix("\(machine).") }.map { $0.dropFirst(33) }
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

    /// Those that are text, and the others with a mark in place of what is not. The code is 0 unless the directory cannot be read to its
    /// end.
    static func names(in directory: String) -> (names: [String], illegible: [String], errno: CInt) {
        var names: [String] = []
        var illegible: [String] = []
        let code = DirectoryNames.forEach(in: directory) { name, _ in
            if let name = String(validating: name, as: UTF8.self) {
                names.append(name)
            } else {
                illegible.append(String(decoding: name, as: UTF8.self))
            }
            return true
        }
        return (names, illegible, code)
    }
}
