import CLinux
import Glibc

/// Reads one journal: opens it, finds the place, goes from matching entry to matching entry, and gets up again when a
/// file shrinks, breaks or vanishes under it.
///
/// It blocks, and lives on one thread for life, as libsystemd demands: the thread that makes it is the only one that
/// may touch it. It calls nobody but the query's condition.
package final class JournalReader {
    /// What ``advance()`` found.
    package enum Step: Equatable {
        /// A matching entry is current; ``entry()`` and ``format(_:into:)`` are about it.
        case entry
        /// Something may be missing here.
        case gap(JournalGap)
        /// Many entries were looked at and none matched: a chance to see whether anyone still wants one.
        case busy
        /// There is nothing more at present; ``wait(until:atMost:)`` for it. Only when following.
        case caughtUp
        /// There is nothing more. Only when not following.
        case end
    }

    let source: JournalSource
    let start: JournalStart
    let follow: Bool
    let query: JournalQuery
    let terms: MatchTerms
    let gatherer: FieldGatherer
    let scratch = EntryScratch()
    let faultGuard: FaultGuard

    var handle: JournalHandle?
    var descriptor: Int32 = -1
    var files = JournalFiles()
    var follower = NameFollower()
    var gaps: [JournalGap] = []

    /// Whether libsystemd already stands on the entry to be looked at next.
    var isOnNext = false
    /// Whether an entry is current that the resume point does not know yet.
    var hasCurrent = false
    var currentTime: UInt64 = 0
    var resume = ResumePoint()
    var replay = Replay() { didSet { isReplayOver = replay.isOver } }
    private var isReplayOver = true
    /// How often in a row the journal was opened anew without getting on.
    var failures = 0
    private var isBroken = false
    /// What was current or found absent at this time need not be missed if files older than this vanish.
    var readUpTo: UInt64 = 0
    /// The time of the oldest entry when the files last changed.
    var oldestKnown: UInt64?
    /// Files seem to have been deleted that had entries younger than this time.
    var suspectedSince: UInt64?

    private var sinceProcess = 0
    /// The kernel may have had no room for all it had to tell of the directories.
    var hasMissedNotices = false
    var memory = MappedMemory()
    private var schedule = PollSchedule()
    private let thread = pthread_self()
    private let lookAroundEvery: Int

    /// How many entries may be passed before deleted files are let go of and memory is looked at.
    static let batch = 512
    /// The same where the index is asked: what it yields lies scattered, and each entry may bring new pages into
    /// memory.
    static let scatteredBatch = 64

    /// With so many bytes of notices waiting some may be missing: an eighth of what the kernel keeps at most, unless told
    /// otherwise, when each is about a file with a short name.
    private static let manyNotices: Int32 = 64 * 1024

    /// An entry older than this, in microseconds, was written to its end.
    private static let youth: UInt64 = 1_000_000

    /// Opens the journal and finds the place.
    package init(
        _ source: JournalSource,
        from start: JournalStart,
        follow: Bool,
        query: JournalQuery = .everything
    ) throws(JournalError) {
        self.source = source
        self.start = start
        self.follow = follow
        self.query = query
        terms = MatchTerms(query.match)
        lookAroundEvery = terms.conditions.isEmpty ? Self.batch : Self.scatteredBatch
        gatherer = FieldGatherer(query.layout)
        DescriptorLimit.raise()
        faultGuard = try FaultGuard()
        try open()
        gaps = files.gaps
        try position()
        oldestKnown = handle?.oldest()
        memory.rebase()
    }

    /// Goes to the next matching entry, looking at some hundred entries at most.
    package func advance() throws(JournalError) -> Step {
        assert(pthread_equal(thread, pthread_self()) != 0, "a journal is read on the thread that opened it")
        if !gaps.isEmpty { return .gap(gaps.removeFirst()) }
        if terms.isNothing { return follow ? .caughtUp : .end }
        if isBroken {
            isBroken = false
            try recover(JournalGap(.truncated))
            return .busy
        }
        guard var handle else { throw failure("read", EBADF) }
        for _ in 0..<Self.batch {
            if hasCurrent, try commit(handle) {
                // The journal was opened anew, or looking around turned something up.
                if !gaps.isEmpty { return .gap(gaps.removeFirst()) }
                guard let reopened = self.handle else { throw failure("read", EBADF) }
                handle = reopened
            }
            let faults = clinux_sigbus_faults()
            let result = isOnNext ? 1 : handle.next()
            isOnNext = false
            if result == 0, clinux_sigbus_faults() == faults { return try atEnd() }
            if result > 0, clinux_sigbus_faults() == faults {
                var time: UInt64 = 0
                guard handle.realtime(&time) >= 0 || clinux_sigbus_faults() != faults else { continue }
                if !isReplayOver, isReplayed(time) { continue }
                if follow { awaitWhole(handle, time) }
                currentTime = time
                hasCurrent = true
                var matches = true
                if let condition = query.condition { matches = handle.evaluate(condition.holds, gatherer, time) }
                if clinux_sigbus_faults() == faults {
                    if !matches { continue }
                    schedule.reset()
                    return .entry
                }
            }
            try recover(result < 0 ? JournalGap(.reopened, errno: -result) : JournalGap(.truncated))
            return .busy
        }
        return .busy
    }

    /// The current entry, whole.
    package func entry() -> JournalEntry? { withEntry { JournalEntry(copying: $0) } }

    /// Writes the current entry into `output`. Answers false, and writes nothing, if the entry can no longer be read.
    package func format(with formatter: inout JournalFormatter, into output: inout OutputBuffer) -> Bool {
        let before = output.count
        let faults = clinux_sigbus_faults()
        if hasCurrent, let handle, formatter.write(handle, into: &output), clinux_sigbus_faults() == faults {
            return true
        }
        output.truncate(to: before)
        guard withEntry({ formatter.write($0, into: &output) }) != nil, clinux_sigbus_faults() == faults else {
            output.truncate(to: before)
            return false
        }
        return true
    }

    /// Nothing was read for a while, perhaps so long that notices of new files were lost. Then the journal is opened anew where
    /// it is read next.
    package func hasRested() {
        guard descriptor >= 0, hasCurrent || resume.cursor != nil else { return }
        var waiting: Int32 = 0
        guard ioctl(descriptor, UInt(FIONREAD), &waiting) == 0, waiting >= Self.manyNotices else { return }
        hasMissedNotices = true
        sinceProcess = lookAroundEvery
    }

    /// Sleeps until there may be something new, `wake` is readable or the time has passed, whichever is first.
    ///
    /// - Parameters:
    ///   - wake: a descriptor that ends the wait, such as an eventfd, or -1.
    ///   - atMost: milliseconds, or -1 for as long as it takes.
    package func wait(until wake: Int32, atMost: Int32 = -1) throws(JournalError) {
        var timeout = schedule.next()
        if atMost >= 0 { timeout = min(timeout, atMost) }
        var descriptors = [
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        // An interrupted wait is a short one, which does no harm.
        guard poll(&descriptors, 2, terms.isNothing ? atMost : timeout) > 0 else { return }
        if descriptors[1].revents != 0 { try process() }
    }
}

extension JournalReader {
    /// Takes note of the current entry as done with, and every now and then of what goes on around. Whether that
    /// changed anything.
    @inline(__always)
    private func commit(_ handle: JournalHandle) throws(JournalError) -> Bool {
        hasCurrent = false
        sinceProcess &+= 1
        if sinceProcess >= lookAroundEvery { return try lookAround(handle) }
        if resume.wantsCursor {
            keepCursor(handle)
        } else {
            resume.passed(currentTime)
        }
        return false
    }

    /// journald makes an entry known before all of its fields are linked to it. Whoever reads it in that moment, which
    /// lasts longer when journald is interrupted in it, gets it without some of them and is told nothing. So a young
    /// entry is looked at until it is whole, for 50 ms at most: a field may also be damaged for good.
    private func awaitWhole(_ handle: JournalHandle, _ time: UInt64) {
        guard Clocks.realtime() < time &+ Self.youth else { return }
        for _ in 0..<200 {
            if handle.isComplete() { return }
            usleep(250)
        }
    }

    @inline(never)
    private func keepCursor(_ handle: JournalHandle) {
        if let cursor = handle.withCursor({ String(decoding: $0, as: UTF8.self) }) {
            resume.moved(to: cursor)
        } else {
            resume.passed(currentTime)
        }
    }

    @inline(never)
    private func lookAround(_ handle: JournalHandle) throws(JournalError) -> Bool {
        sinceProcess = 0
        failures = 0
        keepCursor(handle)
        readUpTo = max(readUpTo, currentTime)
        guard memory.hasGrown || hasMissedNotices else {
            try process()
            return !gaps.isEmpty || self.handle !== handle
        }
        try lookAgain()
        return true
    }

    private func isReplayed(_ time: UInt64) -> Bool {
        let isReplayed = replay.contains(time)
        isReplayOver = replay.isOver
        return isReplayed
    }

    private func withEntry<Result>(_ body: (EntryView) -> Result) -> Result? {
        guard hasCurrent, let handle else { return nil }
        let faults = clinux_sigbus_faults()
        guard fill(handle), clinux_sigbus_faults() == faults else {
            // Tried again once the journal has been opened anew.
            hasCurrent = false
            isBroken = true
            return nil
        }
        return body(scratch.view)
    }

    private func fill(_ handle: JournalHandle) -> Bool {
        scratch.clear()
        return handle.read(into: scratch)
    }
}
