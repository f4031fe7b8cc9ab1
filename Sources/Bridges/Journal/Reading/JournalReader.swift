import Filter
import Glibc
package import Records

/// Reads one journal: opens its files, finds the place, goes from matching entry to matching entry, and opens files
/// that come while it follows.
///
/// It blocks, and is used on one thread. The only foreign code that it calls is the query's condition.
package final class JournalReader {
    /// The result of ``advance()``.
    package enum Step: Equatable {
        /// A matching entry is current; ``entry()`` and ``format(with:into:)`` are about it.
        case entry
        /// Something may be missing here.
        case gap(JournalGap)
        /// Many entries were evaluated and none matched: a chance to see whether anyone still wants one.
        case busy
        /// There is nothing more at present; ``wait(until:atMost:)`` for it. Only when following.
        case caughtUp
        /// There is nothing more. Only when not following.
        case end
    }

    let query: JournalQuery
    let terms: MatchTerms
    let follow: Bool
    let journal: MergedJournal
    var files: JournalFiles
    /// Work beside this thread.
    let threads: WorkerThreads
    let gatherer: FieldGatherer
    private let scratch = EntryScratch()

    var gaps: [JournalGap] = []
    /// Whether the journal stands on the next entry to evaluate.
    var isOnNext = false
    private var hasCurrent = false
    private var sinceRescan = 0
    /// The last entries that match, found on the way back and not read yet.
    var lastMatches: [MergedJournal.Bookmark] = []
    /// From where to read on behind them.
    var tail: MergedJournal.End?
    /// How many more matching entries are searched for on the way back.
    var missing = 0
    private var schedule = PollSchedule()
    private let thread = pthread_self()

    /// How many entries may be passed before the folders are rescanned and the caller can stop.
    static let batch = 512
    /// So many entries are read in the time of one step of a search among values.
    static let stepsPerSearch = 64
    /// So many entries are evaluated on the way back before values are searched.
    static let passedBeforeSearch = 4096
    var passed = 0
    /// Whether it reads from the end, the newest entry first.
    private let goesBack: Bool
    /// On the way back, the entry that ends it, and the time that it was found by; `nil` where it leads to the first one.
    var lastOnTheWay: (key: EntryKey, since: UInt64)?
    /// There is nothing more on the way back.
    var isBack = false
    /// How often the reader advances between two scans of the folders, while there is something to read.
    private static let rescanInterval = 64
    /// On the way back, the places of up to so many matching entries are kept; of more, only the place of the first.
    static let maxBookmarks = 65_536

    package convenience init(
        _ source: JournalSource,
        from start: JournalStart,
        follow: Bool,
        query: JournalQuery = .everything,
        threads: Int = 1
    ) throws(JournalError) {
        try self.init(source, .onward(from: start, follow: follow), query: query, threads: threads)
    }

    /// Opens the journal and finds the place.
    ///
    /// - Parameter threads: how many threads search values and write entries out, this one among them.
    package init(
        _ source: JournalSource,
        _ course: JournalCourse,
        query: JournalQuery = .everything,
        threads: Int = 1
    ) throws(JournalError) {
        self.query = query
        follow = course.follow
        goesBack = course.goesBack
        terms = MatchTerms(query.match)
        gatherer = FieldGatherer(query.layout)
        DescriptorLimit.raise()
        let journal = MergedJournal()
        files = JournalFiles(source, follow: follow)
        try files.open(journal)
        self.journal = journal
        // A file that may be closed for a while is read on one thread.
        self.threads = WorkerThreads(journal.descriptors.isLimited ? 1 : threads)
        gaps = files.takeGaps()
        if terms.isNothing { return }
        let search = ValueSearch(query, threads: self.threads)
        journal.plan(
            with: AccessPlanner(
                to: terms,
                searching: search,
                searchesValues: !course.beginsAtEnd,
                within: query.window,
                follow: follow
            )
        )
        switch course {
        case .onward(let start, _): try position(start)
        case .back(let retreat): try position(retreat)
        }
    }

    /// Goes to the next matching entry, evaluating some hundred entries at most.
    package func advance() throws(JournalError) -> Step {
        assert(pthread_equal(thread, pthread_self()) != 0, "a journal is read on the thread that opened it")
        hasCurrent = false
        if !gaps.isEmpty { return .gap(gaps.removeFirst()) }
        if terms.isNothing { return follow ? .caughtUp : .end }
        if goesBack { return walkBack() }
        sinceRescan &+= 1
        if follow, files.isUncertain || sinceRescan >= Self.rescanInterval && files.hasNotice {
            rescan()
            if !gaps.isEmpty { return .gap(gaps.removeFirst()) }
            if files.isUncertain { return .busy }
        }
        if missing > 0 {
            stepBack()
            return .busy
        }
        if let bookmark = lastMatches.last {
            journal.go(to: bookmark)
            if journal.hasGaps { return gap() }
            lastMatches.removeLast()
            return found()
        }
        if let tail {
            journal.go(to: tail)
            self.tail = nil
        }
        guard let condition = query.condition else { return walk { _ in true } }
        let gatherer = gatherer
        return walk { $0.evaluate(condition.holds, gatherer) }
    }

    @inline(__always)
    private func walk(_ isWanted: (MergedJournal) -> Bool) -> Step {
        // Held here once, not for every entry.
        let journal = journal
        var isOnNext = isOnNext
        self.isOnNext = false
        var steps = Self.batch
        while steps > 0 {
            let isThere = isOnNext || journal.move(.forward)
            isOnNext = false
            if !isThere, journal.isSearching, !journal.hasGaps {
                steps -= Self.stepsPerSearch
                continue
            }
            steps -= 1
            if journal.hasGaps {
                self.isOnNext = isThere
                return gap()
            }
            guard isThere else { return atEnd() }
            if isWanted(journal) { return found() }
        }
        return .busy
    }

    func gap() -> Step {
        gaps += journal.takeGaps()
        return .gap(gaps.removeFirst())
    }

    func found() -> Step {
        hasCurrent = true
        schedule.reset()
        return .entry
    }

    private func atEnd() -> Step {
        guard follow else { return .end }
        if files.refresh(journal) || files.hasNotice && (rescan() || files.needsRescan) { return .busy }
        let hasMore = files.followNames(journal)
        gaps += files.takeGaps()
        if !gaps.isEmpty { return .gap(gaps.removeFirst()) }
        if hasMore { return .busy }
        files.closeGone(journal)
        return journal.hasGaps ? gap() : .caughtUp
    }

    /// Opens files that came, and releases those that are gone. Returns whether anything changed.
    @discardableResult
    private func rescan() -> Bool {
        sinceRescan = 0
        let hasChanged = files.rescanIfNeeded(journal)
        gaps += files.takeGaps()
        return hasChanged
    }

    /// The last entry that was evaluated, going forward; `nil` while there is none.
    var place: EntryKey? {
        missing == 0 && !isOnNext && gaps.isEmpty && journal.current != nil ? journal.key : nil
    }

    /// The cursor of ``place``.
    var placeCursor: String { journal.cursor }

    /// How far reading has come in the journal's files.
    var progress: SearchProgress.Share { journal.progress }

    /// The current entry; `nil` if there is none, or it is gone, which is then reported as a gap.
    package func entry() -> JournalEntry? {
        guard hasCurrent, let entry = journal.fileEntry, isWhole(entry.read(into: scratch)) else { return nil }
        return JournalEntry(copying: scratch.view)
    }

    /// Writes the current entry into `output`. Returns false, and writes nothing, if there is none, or it is gone.
    package func format(with formatter: inout JournalFormatter, into output: inout OutputBuffer) -> Bool {
        guard hasCurrent, let entry = journal.fileEntry else { return false }
        let before = output.count
        if isWhole(formatter.write(entry, by: scratch, into: &output)) { return true }
        output.truncate(to: before)
        return false
    }

    /// Encodes the current entry. Returns false, and ends none, if there is none, or it is gone.
    func encode(with encoder: any EntryEncoder, _ seen: SeenNames) -> Bool {
        guard hasCurrent, let entry = journal.fileEntry else { return false }
        guard let unreadable = entry.encode(with: encoder, seen) else {
            guard let whole = self.entry() else { return false }
            encoder.encode(whole)
            return true
        }
        guard isWhole(unreadable) else { return false }
        encoder.end()
        return true
    }

    /// Lends the fields of the current entry to `body`, until it returns false. False if the entry is gone.
    @inline(__always)
    func forEachField(
        of entry: FileEntry,
        _ body: (UnsafeRawBufferPointer, UnsafeMutablePointer<SharedValues.Value>?) -> Bool
    ) -> Bool { isWhole(entry.forEachField(body)) }

    /// Whether it is going to read onward to the present end, and has read nothing.
    var isUnread: Bool {
        !terms.isNothing && !goesBack && !follow && tail == nil && missing == 0 && lastMatches.isEmpty
            && journal.current == nil
    }

    /// The place of the current entry.
    var fileEntry: FileEntry? { hasCurrent ? journal.fileEntry : nil }

    /// Whether to show the current entry. Reports fields that could not be read.
    private func isWhole(_ unreadable: Int) -> Bool {
        if unreadable == 0 { return true }
        if journal.tellIfGone() { return false }
        journal.tellOfFields()
        return true
    }

    /// Nothing was read for a while. New files are opened where reading goes on.
    package func hasRested() {
        if follow { rescan() }
    }

    /// Sleeps until there may be something new, `wake` is readable or the time has passed, whichever is first.
    ///
    /// - Parameters:
    ///   - wake: a descriptor that ends the wait, such as an eventfd, or -1.
    ///   - atMost: milliseconds, or -1 for as long as it takes.
    package func wait(until wake: Int32, atMost: Int32 = -1) throws(JournalError) {
        // Further scans finish an unfinished one.
        if files.isUncertain { schedule.reset() }
        var timeout = terms.isNothing ? -1 : schedule.next(isNotified: files.isNotified)
        if atMost >= 0 { timeout = timeout < 0 ? atMost : min(timeout, atMost) }
        var descriptors = [
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            pollfd(fd: terms.isNothing ? -1 : files.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        // An interrupted wait is a short one, which does no harm.
        guard poll(&descriptors, 2, timeout) > 0 else { return }
        if descriptors[1].revents != 0, rescan() { schedule.reset() }
    }
}
