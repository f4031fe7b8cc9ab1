/// What an entry has beside its fields.
struct EntryHeader {
    /// Microseconds since 1970.
    var realtime: UInt64 = 0
    /// Microseconds since the boot.
    var monotonic: UInt64 = 0
    /// Where among the bytes the cursor and the boot's id are; empty if there is none.
    var cursorStart: UInt32 = 0
    var cursorLength: UInt32 = 0
    var bootStart: UInt32 = 0
    var bootLength: UInt32 = 0
    var fieldCount: UInt32 = 0
    var byteCount: UInt32 = 0
}
