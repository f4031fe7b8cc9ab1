import Glibc

/// The files of a journal as they come and go: opens them, and closes those that are read and gone.
struct JournalFiles {
    private let folders: JournalFolders
    private let follow: Bool
    private let watch: JournalWatch?
    private var gaps: [JournalGap] = []

    /// Which file stands under each name.
    private var known: [String: FileIdentity] = [:]
    /// Files that could not be opened and why, so that each is told of once.
    private var refused: [String: FileIdentity?] = [:]
    /// Not all folders are there, or are watched, or not all files could be opened: look again by the clock.
    private var isIncomplete = false
    private var lookedAt: UInt64 = 0
    /// For each source of sequence numbers, the highest number in any file so far.
    private var highest: [ID128: UInt64] = [:]

    /// Between two looks at what is not announced, in microseconds.
    private static let interval: UInt64 = 500_000
    /// A file without a header that is younger is just being made.
    private static let youth = 2

    init(_ source: JournalSource, follow: Bool) {
        folders = JournalFolders(source: source)
        self.follow = follow
        watch = follow ? JournalWatch() : nil
    }

    /// Readable when files have changed; -1 if that is not announced.
    var descriptor: Int32 { watch?.descriptor ?? -1 }

    /// Whether changes are announced.
    var isTold: Bool { descriptor >= 0 && !isIncomplete }

    /// Whether the folders are to be looked at.
    var hasNotice: Bool {
        if isIncomplete, Clocks.monotonic() &- lookedAt >= Self.interval { return true }
        guard let watch, watch.descriptor >= 0 else { return false }
        var waiting = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    mutating func takeGaps() -> [JournalGap] {
        defer { gaps = [] }
        return gaps
    }

    /// Opens what there is.
    ///
    /// - Throws: where nothing at all can be read, or a place does not exist.
    mutating func open(_ journal: MergedJournal) throws(JournalError) {
        try folders.check(follow: follow)
        // Before looking for files: none that comes meanwhile is missed.
        _ = watch?.watch(folders.folders)
        let listing = folders.list()
        if !follow { try DescriptorLimit.check(for: listing.paths.count) }
        var first: JournalError?
        for path in listing.paths {
            do throws(JournalError) {
                try add(path, to: journal)
            } catch {
                first = first ?? error
            }
        }
        settle(listing, journal)
        for (path, code) in listing.missing where code != ENOENT {
            first = first ?? JournalError("read the journal directory", path, errno: code)
        }
        guard journal.files.isEmpty, let first else { return }
        if case .files = folders.source { throw first }
        if first.errno != ENODATA { throw first }
    }

    /// Opens a file, unless it is open; answers whether it was not.
    @discardableResult
    private mutating func add(_ path: String, to journal: MergedJournal) throws(JournalError) -> Bool {
        guard let status = FileStatus(at: path) else {
            let error = JournalError("open the journal file", path, errno: errno)
            if case .files = folders.source, !follow || known[path] == nil { refuse(path, nil, error) }
            throw error
        }
        if known[path] == status.identity { return false }
        if journal.files.contains(where: { $0.identity == status.identity }) {
            known[path] = status.identity
            return false
        }
        do throws(JournalError) {
            let file = try journal.add(path)
            known[path] = file.identity
            refused[path] = nil
            noteSequence(of: file)
            return true
        } catch {
            switch error.errno {
            case ENOENT where !isNamed: break
            case ENODATA where status.isYounger(than: Self.youth): isIncomplete = true
            default: refuse(path, status.identity, error)
            }
            throw error
        }
    }

    private var isNamed: Bool { if case .files = folders.source { true } else { false } }

    private mutating func refuse(_ path: String, _ identity: FileIdentity?, _ error: JournalError) {
        if error.errno == EMFILE || error.errno == ENFILE || error.errno == ENOMEM { isIncomplete = true }
        if let before = refused[path], before == identity { return }
        refused[path] = .some(identity)
        gaps.append(JournalGap(.unreadable, path: path, errno: error.errno == 0 ? nil : error.errno))
    }

    /// Sequence numbers that no file holds are those of entries that were deleted before anyone could read them.
    private mutating func noteSequence(of file: JournalFile) {
        let header = file.header
        let last = highest[header.sequenceID] ?? 0
        highest[header.sequenceID] = max(last, header.tailSequence)
    }

    /// Takes in the files that came, and lets go of those that are gone. Whether anything changed.
    mutating func lookAround(_ journal: MergedJournal) -> Bool {
        let notice = watch?.take() ?? JournalWatch.Notice()
        let isDue = isIncomplete && Clocks.monotonic() &- lookedAt >= Self.interval
        var hasChanged = notice.filesChanged && refresh(journal)
        guard notice.namesChanged || isDue, !isNamed else { return hasChanged }
        // A file that is renamed while its folder is listed may be missing from the list, and is announced.
        for _ in 0..<8 {
            hasChanged = rescan(journal) || hasChanged
            guard watch?.take().namesChanged == true else { break }
        }
        return hasChanged
    }

    private mutating func rescan(_ journal: MergedJournal) -> Bool {
        isIncomplete = false
        var hasChanged = false
        // The numbers that the known files have reached, before new files are compared with them.
        let listing = folders.list()
        refresh(journal)
        for file in journal.files { noteSequence(of: file) }
        for path in listing.paths {
            let before = highest
            // Refusals are told of as gaps.
            guard (try? add(path, to: journal)) == true, let file = journal.files.last else { continue }
            hasChanged = true
            let header = file.header
            guard refused.isEmpty, let last = before[header.sequenceID], last < header.headSequence,
                header.headSequence - last > 1
            else { continue }
            missing.append((header.sequenceID, last + 1, header.headSequence - 1))
        }
        reportMissing(journal)
        settle(listing, journal)
        for file in journal.files where file.isDeleted && file.isRead { journal.remove(file) }
        return hasChanged
    }

    /// Sequence numbers that no known file holds: of which source, the first and the last of them.
    private var missing: [(ID128, UInt64, UInt64)] = []

    /// Of several files that came at once, one may hold what seemed to be missing before another.
    private mutating func reportMissing(_ journal: MergedJournal) {
        for (id, first, last) in missing {
            var lost = last - first + 1
            for file in journal.files where file.header.sequenceID == id {
                let low = max(file.header.headSequence, first)
                let high = min(file.header.tailSequence, last)
                if low <= high { lost -= min(lost, high - low + 1) }
            }
            if lost > 0 { gaps.append(JournalGap(.deleted, lost: Int(clamping: lost))) }
        }
        missing = []
    }

    private mutating func settle(_ listing: JournalFolders.Listing, _ journal: MergedJournal) {
        lookedAt = Clocks.monotonic()
        let paths = Set(listing.paths)
        known = known.filter { paths.contains($0.key) }
        refused = refused.filter { paths.contains($0.key) }
        guard let watch else { return }
        let isWatched = watch.watch(listing.folders)
        if !isWatched || !listing.missing.isEmpty { isIncomplete = true }
    }

    /// Looks at the files that may have been written to. Whether any has.
    @discardableResult
    mutating func refresh(_ journal: MergedJournal) -> Bool {
        var hasChanged = false
        for file in journal.files where !file.header.isArchived {
            let before = file.count
            if file.refresh(), file.count != before { hasChanged = true }
        }
        if hasChanged { journal.endReadingAhead() }
        return hasChanged
    }

    /// When all is read: goes on with the files that have taken the places of files that were named. Whether there are any.
    mutating func followNames(_ journal: MergedJournal) -> Bool {
        guard isNamed, follow else { return false }
        let now = Clocks.monotonic()
        guard now &- lookedAt >= Self.interval / 2 else { return false }
        lookedAt = now
        let paths = folders.list().paths
        for path in paths {
            guard let identity = FileStatus(at: path)?.identity, identity != known[path], refused[path] != identity,
                let old = journal.files.first(where: { $0.path == path }) ?? journal.files.first
            else { continue }
            // What the old file got before it lost its name comes first.
            if old.refresh(force: true), !old.isRead { return true }
            guard (try? add(path, to: journal)) == true, let file = journal.files.last else { continue }
            guard file.count > 0 else {
                // It may not be complete yet.
                journal.remove(file)
                known[path] = old.identity
                continue
            }
            if old.path == path { journal.remove(old) }
            // Whatever its times say, all of it is new.
            if paths.count == 1 { journal.seekHead() }
            return true
        }
        return false
    }
}
