import HeapModule

/// The entries of one file that have values which pass tests, in their order.
///
/// It is used on the thread that reads the file.
final class ValueScan {
    enum Answer {
        /// The place of an entry.
        case entry(Int)
        /// There is none up to ``lastEntry``; going back, none is known yet.
        case later
        /// There is none among those that are gone through.
        case none
        /// The file is damaged, or so many entries pass that reading all of them is faster.
        case useless
    }

    private let makePass: () -> ValuePass
    private var pass: ValuePass
    private var candidates = Heap<Int>()
    private var added = 0
    private let mostWaiting: Int

    /// - Parameter entries: how many entries will be gone through; behind them all are read.
    init(_ file: JournalFile, entries: Int, to end: Int, _ testing: ValueTesting) {
        // The file holds this object.
        makePass = { [unowned file] in ValuePass(file, from: Int(file.header.headerSize), to: end, testing) }
        pass = makePass()
        mostWaiting = max(Self.least, entries / Self.costOfLookup)
    }

    /// The last entry that was gone through.
    var lastEntry: Int { pass.lastEntry }

    /// Begins anew.
    func restart() {
        guard pass.lastEntry > 0 else { return }
        pass = makePass()
        candidates = Heap()
        added = 0
    }

    /// How many entries can be read one after the other in the time in which one is found by its value.
    private static let costOfLookup = 6
    /// So many may pass, whatever their share.
    private static let least = 256

    /// The first entry that is at `offset` or behind it; going back, the last one that is there or before it. Goes through some
    /// hundred entries at most.
    func next(from offset: Int, _ direction: Direction) -> Answer {
        if let known = known(from: offset, direction) { return known }
        pass.advance()
        let found = pass.takeFound()
        added += found.count
        candidates.insert(contentsOf: found)
        if pass.isDamaged || candidates.count > mostWaiting { return .useless }
        if added > Self.least, added * Self.costOfLookup > pass.entryCount + candidates.count * Self.costOfLookup {
            return .useless
        }
        return known(from: offset, direction) ?? .later
    }

    private func known(from offset: Int, _ direction: Direction) -> Answer? {
        if pass.isDamaged { return .useless }
        switch direction {
        case .forward:
            while let first = candidates.min, first < offset { _ = candidates.popMin() }
            // Entries that come before this place have no values behind it.
            if let first = candidates.min, first < pass.position || pass.isOver { return .entry(first) }
        case .backward:
            guard pass.isOver else { return nil }
            while let last = candidates.max, last > offset { _ = candidates.popMax() }
            if let last = candidates.max { return .entry(last) }
        }
        return pass.isOver ? Answer.none : nil
    }
}
