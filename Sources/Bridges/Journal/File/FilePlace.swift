/// The position of reading in one file.
struct FilePlace: BitwiseCopyable {
    enum State: BitwiseCopyable {
        /// The position has to be found anew.
        case unknown
        /// The file's next entry has been found and is not read yet.
        case found
        /// The next entry comes after the one of `key`, or before it when going back, and is still being searched for.
        case ahead
        /// The file's entry is, or was, the journal's current one.
        case taken
        /// There is no further entry. The number is how many the file had.
        case end(Int)
    }

    var state = State.unknown
    /// The entry's number in the file's list; -1 before the first.
    var index = -1
    /// The entry that was found or taken last, with its sort key for the comparison with other files.
    var key = EntryKey()
    /// The entries from that index on came after all before them were read.
    var ended = Int.max
    /// The number of the last entry that was the journal's current one.
    var lastSequence: UInt64 = 0
    /// How many entries are missing right before it.
    var lost = 0
    /// Whether the file's index is asked; see ``JournalFile/indexScan``.
    var hasIndexScan = false
    /// The access pattern for the entries that the index scan finds.
    var access = FileMemory.Access.stream
    /// Whether values are searched; see ``JournalFile/valueScan``.
    var hasValueScan = false
    /// From which place on entries are searched; going back, up to which.
    var searchFrom = 0
    /// How many entries of the file the scan covers. All behind them are read.
    var coveredCount = 0
}

/// The known parts of an entry's position. The entry itself may be gone.
struct SeekPoint {
    var sequenceID: ID128?
    var sequence: UInt64?
    var boot: ID128?
    var monotonic: UInt64?
    var realtime: UInt64?
    var checksum: UInt64?

    init() {}

    init(realtime: UInt64) {
        self.realtime = realtime
    }

    init(_ key: EntryKey) {
        sequenceID = key.sequenceID
        sequence = key.entry.sequence
        boot = key.entry.boot
        monotonic = key.entry.monotonic
        realtime = key.entry.realtime
        checksum = key.entry.checksum
    }

    /// Whether a place can be found with it.
    var isPlace: Bool {
        sequenceID != nil && sequence != nil || boot != nil && monotonic != nil || realtime != nil
    }

    /// Whether the entry is the one that the point was made of, as far as the point tells.
    func isMet(by key: EntryKey) -> Bool {
        (sequenceID ?? key.sequenceID) == key.sequenceID && (sequence ?? key.entry.sequence) == key.entry.sequence
            && (boot ?? key.entry.boot) == key.entry.boot && (monotonic ?? key.entry.monotonic) == key.entry.monotonic
            && (realtime ?? key.entry.realtime) == key.entry.realtime
            && (checksum ?? key.entry.checksum) == key.entry.checksum
    }
}

/// How far a journal can be read in one file without reading the others.
struct ReadingAhead: BitwiseCopyable {
    /// The file of the current entry, which the journal holds. A reference would be counted at every step.
    var file: Unmanaged<JournalFile>?
    /// The entry that was read last.
    var last = EntryKey()
    var isAhead = false
    /// The lowest sequence number of the other files' next entries.
    var nextOfOthers = UInt64.max
}
