/// The files of a log that were moved away or copied since a place in it was read.
struct EarlierLogs {
    /// So many are opened; others count as missing.
    private static let maxOpen = 64
    /// How often they are looked for at the most, while their names change.
    private static let attempts = 16

    /// The file that has the place, and the files that came after it, in their order, with a gap where some are missing or may be; only a gap
    /// if no file has the place.
    private(set) var elements = nothing
    private static var nothing: [LogQueue.Element] { [.gap(FileGap(.gone))] }

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
        func listNames() -> NameListing {
            NameListing(of: last.directory) { name, inode in
                inode == place.inode || RotatedName("\(name)", of: "\(last.name)") != nil
            }
        }
        for _ in 0..<Self.attempts where isWanted() {
            let names = listNames()
            try find(place, in: names, last, present, isWanted)
            // A file that was moved in between may be missing, or in the place of another.
            if listNames().inodes == names.inodes { return }
        }
        elements = Self.nothing
    }

    private mutating func find(
        _ place: FilePlace,
        in names: NameListing,
        _ log: PathWalk.Step,
        _ present: OpenLog?,
        _ isWanted: @escaping () -> Bool
    ) throws(FileReadError) {
        let files = names.inodes.keys.compactMap { RotatedLog($0, in: log.directory, of: log.name) }
            .filter { $0.identity != present?.identity && !$0.isBeingCompressed(names) }
        /// `nil` for a file that has gone since, or cannot be opened: the place is looked for in the others. If none has it, there is a gap.
        func open(_ file: RotatedLog) -> OpenLog? {
            let opened = try? OpenLog.open(
                log.directory.appending(file.name.bytes),
                followsLink: false,
                isWanted: isWanted
            )
            // Another one may have got the name.
            return opened?.identity == file.identity ? opened : nil
        }
        func first(in files: [RotatedLog]) throws(FileReadError) -> (file: RotatedLog, log: OpenLog)? {
            for file in files {
                if let log = open(file), try log.has(place) { return (file, log) }
            }
            return nil
        }
        let same = files.filter { UInt64($0.identity.number) == place.inode }
        var found = try first(in: same.sorted { $0.rotation != nil && $1.rotation == nil })
        if found == nil, place.isInCopies {
            // A copy is one of the newest.
            let newest = files.filter { $0.rotation != nil }.sorted { $0.changedAt > $1.changedAt }
            found = try first(in: Array(newest.prefix(Self.maxOpen)))
        }
        guard let found else {
            elements = Self.nothing
            return
        }
        elements = [.log(found.log)]
        let order = RotationOrder(of: files, as: found.file)
        // Clocks that were set back show in times that contradict the names, or in a present file that seems older.
        let isOlder = present.map { $0.knownSize > 0 && $0.changedAt < found.file.changedAt } ?? false
        if !names.isWhole || !order.isCertain || isOlder { appendGap() }
        var identities = [found.log.identity]
        for file in order.later where !identities.contains(file.identity) {
            identities.append(file.identity)
            if !order.isCertain { appendGap() }
            if file.rotation?.uncompressed == nil, count < Self.maxOpen, let log = open(file), !log.isCompressed {
                elements.append(.log(log))
            } else {
                appendGap()
            }
        }
    }

    private var count: Int { elements.count { if case .log = $0 { true } else { false } } }

    private mutating func appendGap() {
        if case .gap? = elements.last { return }
        elements.append(.gap(FileGap(.gone)))
    }
}
