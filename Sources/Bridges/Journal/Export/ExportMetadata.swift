/// The address, times and boot of an entry, which the export format writes as fields.
struct ExportMetadata {
    /// All of their names begin so, apart from that of the boot's id.
    static let prefix = "__".utf8

    private var cursor: [UInt8] = []
    private var boot: [UInt8] = []
    private var realtime: UInt64 = 0
    private var monotonic: UInt64 = 0

    /// Whether it is only metadata and no field. The boot's id is both.
    mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        guard name.first == UInt8(ascii: "_") else { return false }
        if boot.isEmpty, name.elementsEqual("_BOOT_ID".utf8) { boot = Array(value) }
        guard name.starts(with: Self.prefix) else { return false }
        if name.elementsEqual("__CURSOR".utf8) {
            cursor = Array(value)
        } else if name.elementsEqual("__REALTIME_TIMESTAMP".utf8) {
            realtime = PlainDecimal.parse(value).map { UInt64(clamping: $0) } ?? 0
        } else if name.elementsEqual("__MONOTONIC_TIMESTAMP".utf8) {
            monotonic = PlainDecimal.parse(value).map { UInt64(clamping: $0) } ?? 0
        }
        // Newer systemds add more of these, such as __SEQNUM. They are about the entry and are not fields of it.
        return true
    }

    /// Moves the metadata into the entry, and is ready for the next one.
    mutating func move(into scratch: EntryScratch) {
        cursor.withUnsafeBytes { scratch.setCursor($0) }
        boot.withUnsafeBytes { scratch.setBootID($0) }
        scratch.setTimes(realtime: realtime, monotonic: monotonic)
        cursor.removeAll(keepingCapacity: cursor.count < 4096)
        boot.removeAll(keepingCapacity: boot.count < 4096)
        realtime = 0
        monotonic = 0
    }
}
