import Bus
import HeapModule

/// The entries of one file that have values which pass tests, in their order.
///
/// The file is divided into segments. The thread that reads the file searches segments that no other thread has
/// claimed.
final class ValueScan {
    enum Answer {
        /// The place of an entry.
        case entry(Int)
        /// There is none up to ``lastEntry``; going back, none is known yet.
        case later
        /// There is none among the entries that are searched.
        case none
        /// The file is damaged, or so many entries pass that reading all of them is faster.
        case useless
    }

    private let bounds: [Int]
    private let makePass: (_ start: Int, _ end: Int) -> ValuePass
    private let threads: WorkerThreads
    private let reader = Parker()

    private var segments: [ValueSegment] = []
    /// How many segments have been taken in.
    private var taken = 0
    /// How many segments were handed to other threads.
    private var handed = 0
    /// The segment that this thread is at.
    private var own: Int?
    private var candidates = Heap<Int>()
    /// How many candidates there have been, and among how many entries.
    private var added = 0
    private var entryCount = 0
    private let entries: Int
    private let maxWaiting: Int
    private var isUseless: Bool

    /// The last entry that was gone through.
    private(set) var lastEntry = 0
    /// All values before this place have been tested.
    private(set) var position: Int

    /// - Parameter entries: how many entries will be gone through, at least one; behind them all are read.
    init(_ file: JournalFile, entries: Int, _ search: ValueSearch, _ tests: [ValueTest]) {
        let start = Int(clamping: file.header.headerSize)
        let end = file.offset(at: entries) ?? 0
        // A damaged list may name a place far beyond the file.
        let count = max(1, (min(end, file.size) - start) / search.segmentSize)
        let inner = (1..<count).compactMap { file.offset(at: entries * $0 / count) }
        let bounds = [start] + inner + [end]
        self.bounds = bounds
        // Entries are in the order of the file, or it is damaged.
        isUseless = end > file.size || zip(bounds, bounds.dropFirst()).contains { $0 >= $1 }
        position = start
        // The file holds this object.
        makePass = { [unowned file] start, segmentEnd in
            let testing = ValueTesting(tests, search.layout)
            return ValuePass(file, from: start, to: segmentEnd, entriesTo: end, testing, search.memories)
        }
        threads = search.threads
        self.entries = entries
        maxWaiting = max(Self.minWaiting, entries / AccessPlan.costOfLookup)
        restart()
    }

    deinit {
        for segment in segments { segment.cancel() }
    }

    /// Starts again.
    func restart() {
        guard !isUseless, segments.isEmpty || handed > 0 || own != nil || taken > 0 else { return }
        for segment in segments { segment.cancel() }
        segments = zip(bounds, bounds.dropFirst()).map { ValueSegment(makePass($0, $1), reader: reader) }
        (taken, handed, own) = (0, 0, nil)
        candidates = Heap()
        (added, entryCount) = (0, 0)
        lastEntry = 0
        position = bounds[0]
    }

    /// So many may pass, whatever their share.
    private static let minWaiting = 256
    /// How many segments for each thread are searched before they are wanted.
    private static let ahead = 2

    private var isOver: Bool { taken == segments.count }

    /// The first entry at `offset` or behind it; going back, the last one there or before it. Goes through some
    /// hundred entries at most.
    func next(from offset: Int, _ direction: Direction) -> Answer {
        if let known = known(from: offset, direction) { return known }
        goOn()
        return known(from: offset, direction) ?? .later
    }

    private func known(from offset: Int, _ direction: Direction) -> Answer? {
        if isUseless { return .useless }
        switch direction {
        case .forward:
            while let first = candidates.min, first < offset { _ = candidates.popMin() }
            // Entries that come before this place have no values behind it.
            if let first = candidates.min, first < position || isOver { return .entry(first) }
        case .backward:
            guard isOver else { return nil }
            while let last = candidates.max, last > offset { _ = candidates.popMax() }
            if let last = candidates.max { return .entry(last) }
        }
        return isOver ? Answer.none : nil
    }

    private func goOn() {
        handOut()
        let next = segments[taken]
        if own == nil {
            own = (taken..<min(taken + Self.ahead * threads.count, segments.count)).first { segments[$0].stage.claim() }
        }
        if next.stage.isDone {
            // Another thread was faster.
        } else if let own {
            segments[own].advance()
            if segments[own].stage.isDone { self.own = nil }
        } else {
            next.stage.wait()
        }
        if next.stage.isDone {
            take(next.pass)
            if own == taken { own = nil }
            entryCount += next.pass.entryCount
            taken += 1
            if isOver {
                position = bounds[bounds.count - 1]
                // The list of entries may name another one as the last.
                if entryCount != entries { isUseless = true }
            }
        } else if own == taken {
            take(next.pass)
        }
        // A few that pass may be close together.
        let share = (added - candidates.count) * AccessPlan.costOfLookup
        let isDense = added > Self.minWaiting && share > entryCount + partOfOwn
        if candidates.count > maxWaiting || isDense { isUseless = true }
    }

    /// The entries gone through in the segment that is not taken in yet.
    private var partOfOwn: Int { own == taken && !isOver ? segments[taken].pass.entryCount : 0 }

    private func take(_ pass: ValuePass) {
        let found = pass.takeFound()
        added += found.count
        candidates.insert(contentsOf: found)
        lastEntry = max(lastEntry, pass.lastEntry)
        position = max(position, pass.position)
        if pass.isDamaged { isUseless = true }
    }

    /// Lets other threads search segments that will be needed soon.
    private func handOut() {
        guard threads.count > 1 else { return }
        let end = min(taken + Self.ahead * threads.count, segments.count)
        // The first is this thread's, which comes to it at once.
        let start = max(handed, taken + 1)
        guard start < end else { return }
        handed = end
        threads.begin(segments[start..<end])
    }
}
