import Glibc

/// The files of a log that were moved away or copied since a place in it was read.
struct EarlierLogs {
    /// So many are opened; others count as missing.
    private static let maxOpen = 64

    /// The file that has the place, and the files that came after it, in their order, with a gap where some are missing or may be; only a gap
    /// if no file has the place.
    private(set) var elements: [LogQueue.Element] = [.gap(FileGap(.gone))]

    private var count: Int { elements.count { if case .log = $0 { true } else { false } } }

    /// - Parameters:
    ///   - place: where reading was.
    ///   - path: of the log.
    ///   - present: the file that is at the path now, which is not one of them.
    init(
        behind place: FilePlace,
        of path: RawPath,
        present: OpenLog?,
        _ isWanted: @escaping () -> Bool
    ) throws(FileReadError) {
        let last: PathWalk.Step?
        do throws(FileWatchError) {
            last = try PathWalk(path).steps.last
        } catch {
            throw FileReadError(error)
        }
        guard let last else { return }
        let names = NameListing(of: last.directory) { name, inode in
            inode == place.inode || RotatedName("\(name)", of: "\(last.name)") != nil
        }
        let files = names.inodes.keys.compactMap { RotatedLog($0, in: last.directory, of: last.name) }
            .filter { $0.identity != present?.identity && !$0.isBeingCompressed(names) }
        /// One that has gone since, or cannot be opened, has not the place. If none has it, that is said.
        func open(_ file: RotatedLog) -> OpenLog? {
            let log = try? OpenLog.open(
                last.directory.appending(file.name.bytes),
                followsLink: false,
                isWanted: isWanted
            )
            // Another one may have got the name.
            return log?.identity == file.identity ? log : nil
        }
        func first(in files: [RotatedLog]) throws(FileReadError) -> (file: RotatedLog, log: OpenLog)? {
            for file in files {
                if let log = open(file), try log.has(place) { return (file, log) }
            }
            return nil
        }
        var found = try first(in: files.filter { UInt64($0.identity.number) == place.inode })
        if found == nil, place.isInCopies {
            // A copy is one of the newest.
            let newest = files.filter { $0.rotation != nil }.sorted { $0.changedAt > $1.changedAt }
            found = try first(in: Array(newest.prefix(Self.maxOpen)))
        }
        guard let found else { return }
        elements = [.log(found.log)]
        let order = RotationOrder(of: files, as: found.file)
        // Clocks that were set back show in times that contradict the names, or in a present file that seems older.
        let isOlder = present.map { $0.knownSize > 0 && $0.changedAt < found.file.changedAt } ?? false
        if !names.isWhole || !order.isCertain || isOlder { appendGap() }
        var identities = [found.log.identity]
        for file in order.later where !identities.contains(file.identity) {
            identities.append(file.identity)
            if file.rotation?.uncompressed == nil, count < Self.maxOpen, let log = open(file), !log.isCompressed {
                elements.append(.log(log))
            } else {
                appendGap()
            }
        }
    }

    private mutating func appendGap() {
        if case .gap? = elements.last { return }
        elements.append(.gap(FileGap(.gone)))
    }
}

/// A file that may be one of a log's.
private struct RotatedLog {
    let name: FileName
    /// `nil` where its name is not made of the log's.
    let rotation: RotatedName?
    let identity: OpenLog.Identity
    let changedAt: (seconds: Int, nanoseconds: Int)

    /// `nil` for what is no file.
    init?(_ name: FileName, in folder: RawPath, of log: FileName) {
        var status = stat()
        guard folder.appending(name.bytes).withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        self.name = name
        rotation = RotatedName("\(name)", of: "\(log)")
        identity = OpenLog.Identity(status)
        changedAt = OpenLog.changedAt(status)
    }

    /// Whether the file from which it is made is still there.
    func isBeingCompressed(_ names: NameListing) -> Bool {
        rotation?.uncompressed.map { names.inodes[FileName($0)] != nil } ?? false
    }
}

/// The order in which files of a log were written: by their times, which rise or fall with the numbers in their names.
private struct RotationOrder {
    /// The files behind the one that was found.
    let later: [RotatedLog]
    /// Whether these are all, and in their order.
    let isCertain: Bool

    init(of files: [RotatedLog], as found: RotatedLog) {
        let form = found.rotation?.form
        let files = files.filter { form == nil || $0.rotation?.form == form }
        let rising = Self.sorted(files) { $0.lexicographicallyPrecedes($1) }
        let falling = Self.sorted(files) { $1.lexicographicallyPrecedes($0) }
        let sorted = rising ?? falling ?? files.sorted { $0.changedAt < $1.changedAt }
        isCertain = form != nil && (files.count < 2 || (rising == nil) != (falling == nil))
        // Otherwise rather lines twice than not at all.
        later =
            isCertain
            ? Array(sorted.drop { $0.name != found.name }.dropFirst())
            : sorted.filter { $0.changedAt >= found.changedAt && $0.name != found.name }
    }

    /// The files by their times, and by their numbers where these are equal; `nil` where the numbers have another order.
    private static func sorted(_ files: [RotatedLog], by precedes: ([UInt64], [UInt64]) -> Bool) -> [RotatedLog]? {
        func numbers(_ file: RotatedLog) -> [UInt64] { file.rotation?.numbers ?? [] }
        let sorted = files.sorted {
            $0.changedAt == $1.changedAt ? precedes(numbers($0), numbers($1)) : $0.changedAt < $1.changedAt
        }
        let numbered = sorted.map(numbers).filter { !$0.isEmpty }
        return zip(numbered, numbered.dropFirst()).contains { precedes($1, $0) } ? nil : sorted
    }
}

/// The names in a directory, as they were at one time.
private struct NameListing {
    /// So many are looked at.
    private static let maxNames = 65_536
    /// How often the directory is listed at the most.
    private static let maxListings = 16

    private(set) var inodes: [FileName: UInt64] = [:]
    /// Whether no name is missing.
    private(set) var isWhole = false

    init(of folder: RawPath, where isKept: (FileName, UInt64) -> Bool) {
        for attempt in 1...Self.maxListings {
            let before = inodes
            guard list(folder, isKept) else { return }
            // A file that is renamed meanwhile may be missing.
            isWhole = attempt > 1 && inodes == before
            if isWhole { return }
        }
    }

    /// Returns whether it came to the end.
    private mutating func list(_ folder: RawPath, _ isKept: (FileName, UInt64) -> Bool) -> Bool {
        inodes = [:]
        guard let directory = folder.withCString({ opendir($0) }) else { return false }
        defer { closedir(directory) }
        for _ in 0..<Self.maxNames {
            errno = 0
            guard let entry = readdir(directory) else { return errno == 0 }
            let name = FileName(bytes: withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
            if isKept(name, UInt64(entry.pointee.d_ino)) { inodes[name] = UInt64(entry.pointee.d_ino) }
        }
        return false
    }
}
