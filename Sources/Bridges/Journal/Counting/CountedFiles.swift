/// Which files of a journal can be counted one by one, because no entry of theirs is in another file, or would be passed over beside
/// it.
struct CountedFiles {
    /// The ends of a file's entries.
    private struct Ends {
        let file: JournalFile
        let first: EntryKey
        let last: EntryKey
        /// When the last entry was received, or may be, in a file that is being written.
        let end: UInt64
        var isApart = true

        init?(_ file: JournalFile) {
            guard file.count > 0, let start = file.offset(at: 0), let end = file.offset(at: file.count - 1),
                let first = file.entry(at: start, .spot), let last = file.entry(at: end, .spot)
            else { return nil }
            self.file = file
            self.first = EntryKey(sequenceID: file.header.sequenceID, entry: first)
            self.last = EntryKey(sequenceID: file.header.sequenceID, entry: last)
            let isWritten = file.header.state == 1
            self.end = isWritten ? .max : last.realtime
            isApart = !isWritten && file.hasWorkingIndex
        }

        /// Why all of its entries come before those of a file that is later by the clock, as ``EntryKey/compare(_:)`` has it; `nil` where
        /// they may not.
        func order(before other: Ends) -> Order? {
            let (mine, next) = (last.entry, other.first.entry)
            if first.sequenceID == other.first.sequenceID { return mine.sequence < next.sequence ? .numbers : nil }
            let boots = [first.entry.boot, mine.boot]
            guard boots.contains(next.boot) || boots.contains(other.last.entry.boot) else { return .clock }
            // Of files with several boots each, the order of one in both cannot be told from their ends.
            let isOneBoot = boots[0] == boots[1] && next.boot == other.last.entry.boot
            return isOneBoot && mine.monotonic < next.monotonic ? .numbers : nil
        }
    }

    private enum Order {
        /// By numbers or times that only grow.
        case numbers
        /// By the clock, which may have been set back between the ends.
        case clock
    }

    /// In the order of their entries.
    private(set) var files: [JournalFile] = []
    /// Whether the times of all their entries must be read to prove that order.
    private(set) var needTimes = false

    /// - Parameter all: the files of the journal.
    init(among all: [JournalFile]) {
        var ends: [Ends] = []
        for file in all where file.count > 0 {
            // Of a damaged file it is not known what it has.
            guard file.isIntact, !file.hasShrunk, let found = Ends(file) else { return }
            ends.append(found)
        }
        ends.sort { $0.first.entry.realtime < $1.first.entry.realtime }
        for index in ends.indices {
            for earlier in 0..<index {
                if ends[earlier].end < ends[index].first.entry.realtime,
                    let order = ends[earlier].order(before: ends[index])
                {
                    needTimes = needTimes || order == .clock
                    continue
                }
                // The order is not transitive: what lies between two that overlap may decide which of their entries are passed over.
                for between in earlier...index { ends[between].isApart = false }
            }
        }
        files = ends.filter(\.isApart).map(\.file)
    }
}
