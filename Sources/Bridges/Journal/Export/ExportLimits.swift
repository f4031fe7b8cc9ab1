/// The largest size of an entry of a stream in the journal export format. Fields beyond it are left out and reported,
/// see ``SkippedFields``.
///
/// A stream may come from anyone. These limits bound the memory and the time that one entry of it costs: with 16 MiB an entry
/// takes less than 200 MiB while it is read, filtered and written out as JSON.
public struct ExportLimits: Sendable, Hashable {
    /// How many fields an entry may have. systemd-journal-remote takes 1,024, and journald takes as many from a program.
    public let fieldCount: Int

    /// How many bytes the names and values of an entry may have, together; 768 MiB at most.
    ///
    /// systemd-journal-remote takes 770 MiB, to have room for a core dump in a field. A core dump is kept in a file of its own
    /// unless `Storage=journal` is set in coredump.conf. Raise the limit to read those.
    public let entrySize: Int

    /// Limits within the bounds: a negative number counts as 0, and more than 768 MiB as 768 MiB.
    public init(fieldCount: Int = 1024, entrySize: Int = 16 << 20) {
        self.fieldCount = max(fieldCount, 0)
        self.entrySize = min(max(entrySize, 0), JournalFile.maxValueSize)
    }
}
