/// The contents of an ENTRY object, without the entry's fields.
struct EntryRef: BitwiseCopyable {
    /// The object's place in its file.
    var offset = 0
    /// How many bytes the object has.
    var size = 0
    var sequence: UInt64 = 0
    /// Microseconds since 1970.
    var realtime: UInt64 = 0
    /// Microseconds since the boot.
    var monotonic: UInt64 = 0
    var boot = ID128()
    /// See ``Lookup3``.
    var checksum: UInt64 = 0
}

/// An entry's position among those of all files.
struct EntryKey: BitwiseCopyable {
    var sequenceID = ID128()
    var entry = EntryRef()

    /// Whether it is the same entry in another file, as libsystemd 252 sees it when it passes over copies.
    @inline(__always)
    func isCopy(of other: EntryKey) -> Bool {
        sequenceID == other.sequenceID && entry.sequence == other.entry.sequence && entry.boot == other.entry.boot
            && entry.realtime == other.entry.realtime && entry.checksum == other.entry.checksum
    }

    /// Negative, 0 or positive, as libsystemd 252 orders entries: by sequence number if these have the same source,
    /// by the time since the boot if the boot is the same, then by the clock, then by contents.
    ///
    /// The order is not transitive, so the number and the order of the comparisons matter.
    @inline(__always)
    func compare(_ other: EntryKey) -> Int {
        if sequenceID == other.sequenceID, entry.sequence != other.entry.sequence {
            return entry.sequence < other.entry.sequence ? -1 : 1
        }
        if entry.boot == other.entry.boot, entry.monotonic != other.entry.monotonic {
            return entry.monotonic < other.entry.monotonic ? -1 : 1
        }
        if entry.realtime != other.entry.realtime { return entry.realtime < other.entry.realtime ? -1 : 1 }
        if entry.checksum != other.entry.checksum { return entry.checksum < other.entry.checksum ? -1 : 1 }
        return 0
    }
}
