import Filter
import JournalWriter

@testable import JournalBridge

/// The result of reading a file, without its entries.
struct HostileRead {
    var sequences: [UInt64] = []
    /// The place of each entry in its file.
    var places: [Int] = []
    var fields = 0
    var gaps: [JournalGap] = []
    /// For each gap, the number of entries read before it was reported.
    var gapPlaces: [Int] = []

    /// How many entries are reported as missing.
    var lost: Int { gaps.reduce(0) { $0 + ($1.lost ?? 0) } }

    init() {}

    init(_ path: String, match: Match? = nil, readsFields: Bool = true) throws {
        let journal = try MergedJournal(files: [path])
        if let match { journal.narrow(to: match) }
        take(journal, readsFields: readsFields)
    }

    /// Reads everything from here on.
    mutating func take(_ journal: MergedJournal, readsFields: Bool = true) {
        while true {
            let isThere = journal.next()
            takeGaps(journal)
            guard isThere else { return }
            sequences.append(journal.entry.sequence)
            places.append(journal.entry.offset)
            guard readsFields else { continue }
            journal.forEachField { _ in
                fields += 1
                return true
            }
        }
    }

    private mutating func takeGaps(_ journal: MergedJournal) {
        for gap in journal.takeGaps() {
            gaps.append(gap)
            gapPlaces.append(sequences.count)
        }
    }
}
