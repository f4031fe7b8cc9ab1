import Glibc
import SystemPackage

/// The files of a journal as they come and go: opens them, and closes those that are read and gone.
struct JournalFiles {
    private let folders: JournalFolders
    private let follow: Bool
    private let watch: JournalWatch?
    private var gaps: [JournalGap] = []

    /// The file under each name.
    private var known: [String: Inode] = [:]
    /// Files that could not be opened, with the reasons, so that each is reported once.
    private var refused: [String: Refusal] = [:]

    private struct Refusal {
        /// `nil` where there was no file.
        let identity: Inode?
        let errno: Errno?

        /// There were too many open files.
        var isForNow: Bool { errno == .tooManyOpenFiles || errno == .tooManyOpenFilesInSystem || errno == .noMemory }

        /// Whether it is a whole journal, of somebody else or for want of descriptors.
        var hidesEntries: Bool { isForNow || errno == .permissionDenied || errno == .notPermitted }
    }

    /// Not all folders are there, or are watched, or not all files could be opened: rescan by the clock.
    private var isIncomplete = false
    /// The folders have to be scanned again: names changed during the last scan, or numbers seemed to be missing.
    private(set) var needsRescan = false
    /// How many scans in a row have left ``needsRescan`` set.
    private var unfinishedRescans = 0
    private var scannedAt: UInt64 = 0
    /// All that was there at first is open.
    private var isOpen = false
    /// Files are open that are in no folder any more.
    private var hasGone = false
    private var numbers = SequenceNumbers()

    /// The time between two scans for changes that are not announced, in microseconds.
    private static let interval: UInt64 = 500_000
    /// A file without a header that is younger is just being made.
    private static let youth = 2
    private static let maxRescans = 64
    /// How often the folders are listed at first, at the most: until nothing new is found.
    private static let maxListings = 16
    /// So many files are expected to come while the journal is followed.
    private static let maxNew = 32

    init(_ source: JournalSource, follow: Bool) {
        folders = JournalFolders(source: source)
        self.follow = follow
        watch = follow ? JournalWatch() : nil
    }

    /// Readable when files have changed; -1 if that is not announced.
    var descriptor: Int32 { watch?.descriptor ?? -1 }

    /// Whether changes are announced.
    var isNotified: Bool { descriptor >= 0 && !isIncomplete && !needsRescan }

    /// Whether the next entries may be in a file that was not found yet. If names change all the time, reading goes
    /// on, and entries found too late are reported as missing.
    var isUncertain: Bool { needsRescan && unfinishedRescans < Self.maxRescans }

    /// Whether the folders have to be scanned.
    var hasNotice: Bool {
        if needsRescan { return true }
        if isIncomplete, Clocks.monotonic() &- scannedAt >= Self.interval { return true }
        guard let watch, watch.descriptor >= 0 else { return false }
        var waiting = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    mutating func takeGaps() -> [JournalGap] {
        defer { gaps = [] }
        return gaps
    }

    /// Opens the existing files.
    ///
    /// - Parameter listed: called each time the folders were listed, with how often that was before. For tests.
    /// - Throws: where nothing at all can be read, or a place does not exist.
    mutating func open(_ journal: MergedJournal, listed: (Int) -> Void = { _ in }) throws(JournalError) {
        try folders.check(follow: follow)
        var listing = list()
        listed(0)
        if let capacity = try DescriptorLimit.capacity(for: listing.paths.count, more: follow ? Self.maxNew : 0) {
            journal.descriptors.limit(to: capacity)
        }
        var first: JournalError?
        // A file that is renamed while its folder is listed, as journald does, may be missing from the list, or another may be found under
        // its name. It must be there before the place where reading begins is looked for.
        for count in 1...Self.maxListings {
            var hasNew = false
            for path in listing.paths {
                do throws(JournalError) {
                    if try add(path, to: journal) { hasNew = true }
                } catch {
                    first = first ?? error
                }
            }
            guard hasNew || watch?.take().namesChanged == true, !isNamed else { break }
            guard count < Self.maxListings else {
                needsRescan = follow
                break
            }
            listing = list()
            listed(count)
        }
        finish(listing)
        if follow { refresh(journal) }
        for (path, code) in listing.missing where code != ENOENT {
            first = first ?? JournalError("read the journal directory", path, errno: code)
        }
        guard journal.files.isEmpty, let first else { return }
        if isNamed { throw first }
        if first.errno != .noData { throw first }
    }

    /// Lists the folders, all of which are watched before: no file that comes meanwhile is missed.
    private mutating func list() -> JournalFolders.Listing {
        guard let watch else { return folders.list() }
        var (isWatched, _) = watch.watch(folders.folders, only: false)
        var listing = folders.list()
        for _ in 0..<8 {
            let isNew: Bool
            (isWatched, isNew) = watch.watch(listing.folders, only: true)
            guard isNew else { break }
            listing = folders.list()
        }
        isIncomplete = !isWatched || !listing.missing.isEmpty
        return listing
    }

    /// Opens a file, unless it is open; returns whether it was not.
    @discardableResult
    private mutating func add(_ path: String, to journal: MergedJournal) throws(JournalError) -> Bool {
        guard let status = FileStatus(at: path) else {
            let error = JournalError("open the journal file", path, errno: errno)
            if isNamed, !follow || known[path] == nil { refuse(path, nil, error) }
            throw error
        }
        if known[path] == status.identity { return false }
        if journal.files.contains(where: { $0.identity == status.identity }) {
            known[path] = status.identity
            return false
        }
        do throws(JournalError) {
            let file = try isOpen ? journal.addNew(path) : journal.add(path)
            if follow { file.readLimit = file.count }
            known[path] = file.identity
            refused[path] = nil
            if isOpen, !isNamed { suspectBefore(file) }
            numbers.note(file)
            return true
        } catch {
            switch error.errno {
            case .noSuchFileOrDirectory where !isNamed: break
            case .noData where status.isYounger(than: Self.youth): isIncomplete = true
            // It has its size before it has a header.
            case .badMessage where isOpen && status.isYounger(than: Self.youth): isIncomplete = true
            default: refuse(path, status.identity, error)
            }
            throw error
        }
    }

    private var isNamed: Bool { folders.isNamed }

    private mutating func refuse(_ path: String, _ identity: Inode?, _ error: JournalError) {
        let before = refused.updateValue(Refusal(identity: identity, errno: error.errno), forKey: path)
        if refused[path]?.isForNow == true { isIncomplete = true }
        if let before, before.identity == identity { return }
        gaps.append(JournalGap(.unreadable, path: path, errno: error.errno))
    }

    /// Opens the files that came, and releases those that are gone. Returns whether anything changed.
    mutating func rescanIfNeeded(_ journal: MergedJournal) -> Bool {
        let notice = watch?.take() ?? JournalWatch.Notice()
        let isDue = isIncomplete && Clocks.monotonic() &- scannedAt >= Self.interval
        var hasChanged = notice.filesChanged && refresh(journal)
        guard notice.namesChanged || needsRescan || isDue else { return hasChanged }
        if isNamed {
            // They are checked when all is read.
            scannedAt = 0
            return hasChanged
        }
        hasChanged = rescan(journal) || hasChanged
        // A file that is renamed while its folder is listed may be missing from the list, and is announced.
        needsRescan = watch?.take().namesChanged == true || !numbers.suspected.isEmpty
        unfinishedRescans = needsRescan ? unfinishedRescans + 1 : 0
        return hasChanged
    }

    private mutating func rescan(_ journal: MergedJournal) -> Bool {
        var hasChanged = false
        let listing = list()
        // Numbers that were missing already when these files were listed.
        let confirmed = numbers.takeSuspected()
        // The numbers that the known files have reached, before new files are compared with them.
        refresh(journal)
        for file in journal.files { numbers.note(file) }
        for path in listing.paths {
            // Refusals are reported as gaps.
            if (try? add(path, to: journal)) == true { hasChanged = true }
        }
        // The files that were open already have all entries that were written to them before the new ones came.
        if hasChanged { refresh(journal) }
        report(confirmed, journal)
        finish(listing)
        guard listing.isWhole else { return hasChanged }
        let listed = Set(known.values)
        hasGone = journal.files.contains { !listed.contains($0.identity) }
        return hasChanged
    }

    private mutating func suspectBefore(_ file: JournalFile) {
        // Entries of a file that may not be opened, or cannot be at present, are not deleted.
        if !refused.values.contains(where: \.hidesEntries) { numbers.suspectBefore(file) }
    }

    /// Looks for the numbers before those of files that were empty, and have learned the source of their numbers with their first entry.
    private mutating func suspectBefore(settled: [JournalFile], _ journal: MergedJournal) {
        for file in journal.files where !settled.contains(where: { $0 === file }) { numbers.note(file) }
        for file in settled {
            suspectBefore(file)
            numbers.note(file)
        }
        if !numbers.suspected.isEmpty { needsRescan = true }
    }

    private mutating func report(_ missing: [MissingNumbers], _ journal: MergedJournal) {
        if missing.isEmpty { return }
        let others = OtherJournals(folders.others)
        gaps += missing.compactMap { $0.gap(in: journal, beside: others) }
    }

    /// Closes the files that are read to their end and are in none of the folders any more.
    mutating func closeGone(_ journal: MergedJournal) {
        // Open files count in the report of missing entries.
        guard hasGone, numbers.suspected.isEmpty else { return }
        hasGone = false
        let listed = Set(known.values)
        for file in journal.files where !listed.contains(file.identity) {
            file.refresh()
            numbers.note(file)
            journal.findUnlisted(of: file)
            if file.isRead { journal.remove(file) } else { hasGone = true }
        }
    }

    private mutating func finish(_ listing: JournalFolders.Listing) {
        isOpen = true
        scannedAt = Clocks.monotonic()
        for path in listing.illegible { refuse(path, nil, JournalError("open the journal file", path, errno: EILSEQ)) }
        // A folder that cannot be read at present may have any of them.
        guard listing.isWhole else { return }
        let paths = Set(listing.paths + listing.illegible)
        known = known.filter { paths.contains($0.key) }
        refused = refused.filter { paths.contains($0.key) }
    }

    /// Refreshes the files that may have been written to. Whether there is more to read.
    ///
    /// Several files may be written to alternately. An entry is read when every other file has been refreshed after the entry was
    /// written; then all that come before it are known.
    @discardableResult
    mutating func refresh(_ journal: MergedJournal) -> Bool {
        let live = journal.files.filter { !$0.header.isArchived || $0.readLimit < .max || $0.entries.unlisted > 0 }
        let before = live.map { $0.readLimit }
        let empty = live.filter { $0.header.entryCount == 0 }.map { (file: $0, source: $0.header.sequenceID) }
        defer {
            let settled = empty.filter { $0.file.header.sequenceID != $0.source }.map(\.file)
            if !settled.isEmpty { suspectBefore(settled: settled, journal) }
        }
        // Other files may now have entries that come before the next one of the current file.
        journal.endReadingAhead()
        guard refreshFiles(live) else {
            for file in live { journal.findUnlisted(of: file) }
            return journal.hasGaps || zip(live, before).contains { $0.readLimit > $1 }
        }
        refreshFiles(live)
        return true
    }

    @discardableResult
    private func refreshFiles(_ live: [JournalFile]) -> Bool {
        var hasChanged = false
        for file in live { file.readLimit = file.header.isArchived ? .max : file.count }
        for file in live where file.readLimit < .max {
            let before = file.count
            if file.refresh(), file.count != before { hasChanged = true }
        }
        return hasChanged
    }

    /// When all is read: goes on with the files that have taken the places of files that were named. Whether there are any.
    mutating func followNames(_ journal: MergedJournal) -> Bool {
        guard isNamed, follow else { return false }
        let now = Clocks.monotonic()
        guard now &- scannedAt >= Self.interval / 2 else { return false }
        scannedAt = now
        isIncomplete = false
        for path in folders.list().paths where follow(path, journal) { return true }
        return false
    }

    /// Goes on with the file that has taken a name. Whether there is more to read.
    private mutating func follow(_ path: String, _ journal: MergedJournal) -> Bool {
        guard let identity = FileStatus(at: path)?.identity,
            let old = journal.files.first(where: { $0.path == path }) ?? journal.files.first
        else {
            isIncomplete = true
            return false
        }
        if identity == known[path] { return false }
        // The rest of the old file comes first.
        if old.refresh(force: true), !old.isRead { return true }
        numbers.note(old)
        let source = old.header.sequenceID
        let last = max(numbers.last(of: source), old.lastGivenSequence)
        guard (try? add(path, to: journal)) == true, let file = journal.files.last else {
            isIncomplete = true
            return false
        }
        guard file.count > 0 else {
            // It may not be complete yet.
            journal.remove(file)
            known[path] = old.identity
            isIncomplete = true
            return false
        }
        if old.path == path { journal.remove(old) }
        if file.header.sequenceID == source {
            let head = file.header.headSequence
            if last < head, head - last > 1 {
                report([MissingNumbers(source: source, first: last + 1, last: head - 1)], journal)
            }
        } else if folders.list().paths.count == 1 {
            // All of its entries are new, regardless of their times.
            journal.seekHead()
        }
        refresh(journal)
        return true
    }
}
