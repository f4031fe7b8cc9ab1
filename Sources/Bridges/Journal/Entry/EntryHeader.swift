/// The parts of an entry other than its fields.
struct EntryHeader {
    /// Microseconds since 1970.
    var realtime: UInt64 = 0
    /// Microseconds since the boot.
    var monotonic: UInt64 = 0
    /// The place of the cursor and the boot's id among the bytes; empty if there is none.
    var cursorStart: UInt32 = 0
    var cursorLength: UInt32 = 0
    var bootStart: UInt32 = 0
    var bootLength: UInt32 = 0
    var fieldCount: UInt32 = 0
    var byteCount: UInt32 = 0
}
