/// What an entry has beside its fields.
struct EntryHeader {
    /// Microseconds since 1970.
    var realtime: UInt64 = 0
    /// Microseconds since the boot.
    var monotonic: UInt64 = 0
    /// 32 lower-case hexadecimal digits at `bootStart`, or none. The cursor is at the start of the bytes.
    var bootStart: UInt32 = 0
    var bootLength: UInt32 = 0
    var cursorLength: UInt32 = 0
    var fieldCount: UInt32 = 0
    var byteCount: UInt32 = 0
}
