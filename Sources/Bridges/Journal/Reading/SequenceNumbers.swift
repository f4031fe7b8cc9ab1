/// The sequence numbers in a journal's files, and those that no file holds: they belong to entries that were deleted before anyone could
/// read them.
struct SequenceNumbers {
    /// For each source, the highest number in any file so far.
    private var highest: [ID128: UInt64] = [:]
    /// The numbers before those of new files. Another new file may have them.
    private(set) var suspected: [MissingNumbers] = []

    /// The highest number of a source in any file so far; 0 if there is none.
    func last(of source: ID128) -> UInt64 { highest[source] ?? 0 }

    mutating func note(_ file: JournalFile) {
        let source = file.header.sequenceID
        highest[source] = max(last(of: source), file.lastSequence)
    }

    /// Suspects the numbers between those that were noted and the first one of a new file.
    mutating func suspectBefore(_ file: JournalFile) {
        let (source, first) = (file.header.sequenceID, file.header.firstSequence)
        guard let last = highest[source], last < first, first - last > 1 else { return }
        suspected.append(MissingNumbers(source: source, first: last + 1, last: first - 1))
    }

    mutating func takeSuspected() -> [MissingNumbers] {
        defer { suspected = [] }
        return suspected
    }
}

/// Sequence numbers of one source that no file holds.
struct MissingNumbers {
    let source: ID128
    let first: UInt64
    let last: UInt64

    /// The gap to report, without those that were found in another of several files that came at once. `nil` if that was all of them.
    func gap(in journal: MergedJournal, beside others: OtherJournals) -> JournalGap? {
        var lost = last - first + 1
        for file in journal.files where file.header.sequenceID == source && file.foundBehind < last {
            let low = max(file.header.firstSequence, first, file.foundBehind + 1)
            let high = min(file.lastGivenSequence, last)
            if low <= high { lost -= min(lost, high - low + 1) }
        }
        return lost > 0 ? others.gap(of: lost, first...last, from: source) : nil
    }
}

extension FileHeader {
    /// The number of the first entry that the file has or will have. journald begins a file with the last number of the file
    /// before it.
    fileprivate var firstSequence: UInt64 {
        if headSequence > 0 { return headSequence }
        return tailSequence == .max ? .max : tailSequence + 1
    }
}
