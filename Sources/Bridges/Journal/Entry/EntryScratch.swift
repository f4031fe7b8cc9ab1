import Glibc

/// An entry that is being put together, in memory that is used again for the next one.
///
/// It belongs to one reader and is touched by one thread.
final class EntryScratch {
    private(set) var header = EntryHeader()
    private var bytes: UnsafeMutableRawPointer
    private var byteCapacity: Int
    private var byteCount = 0
    private var slots: UnsafeMutablePointer<FieldSlot>
    private var slotCapacity: Int
    private var slotCount = 0

    /// Offsets are 32 bits wide. No entry is nearly as large, see ``JournalFile/maxEntrySize``.
    static let maxEntrySize = Int(UInt32.max)

    init() {
        byteCapacity = 4096
        bytes = .allocate(byteCount: byteCapacity, alignment: 16)
        slotCapacity = 64
        slots = .allocate(capacity: slotCapacity)
    }

    deinit {
        bytes.deallocate()
        slots.deallocate()
    }

    /// Forgets the entry, and the memory of an unusually large one.
    func clear() {
        if byteCapacity > 1 << 20, byteCount < byteCapacity / 4 {
            bytes.deallocate()
            byteCapacity = 4096
            bytes = .allocate(byteCount: byteCapacity, alignment: 16)
        }
        header = EntryHeader()
        byteCount = 0
        slotCount = 0
    }

    /// The cursor, and the place of the boot's id in it.
    func setCursor(_ cursor: UnsafeRawBufferPointer, boot: Range<Int> = 0..<0) {
        header.cursorStart = UInt32(byteCount)
        header.cursorLength = UInt32(cursor.count)
        header.bootStart = UInt32(byteCount + boot.lowerBound)
        header.bootLength = UInt32(boot.count)
        append(cursor)
    }

    /// The boot's id where it is given separately; after the cursor.
    func setBootID(_ id: UnsafeRawBufferPointer) {
        header.bootStart = UInt32(byteCount)
        header.bootLength = UInt32(id.count)
        append(id)
    }

    func setTimes(realtime: UInt64, monotonic: UInt64) {
        header.realtime = realtime
        header.monotonic = monotonic
    }

    /// Adds a field spelled `NAME=value`. Without a name it is left out; false when the entry grew beyond all bounds.
    @inline(__always)
    func addField(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let base = line.baseAddress, let equals = memchr(base, 0x3D, line.count) else { return true }
        let nameLength = UnsafeRawPointer(equals) - base
        guard nameLength > 0 else { return true }
        guard byteCount + line.count < Self.maxEntrySize else { return false }
        addSlot(nameLength: nameLength, valueLength: line.count - nameLength - 1)
        append(line)
        return true
    }

    func addField(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
        guard byteCount + name.count + value.count + 1 < Self.maxEntrySize else { return false }
        addSlot(nameLength: name.count, valueLength: value.count)
        append(name)
        reserve(1)
        bytes.storeBytes(of: 0x3D, toByteOffset: byteCount, as: UInt8.self)
        byteCount += 1
        append(value)
        return true
    }

    /// How many fields the entry has so far, and how many bytes.
    var fieldCount: Int { slotCount }
    var size: Int { byteCount }

    /// The entry so far. Valid until the scratch is touched again.
    var view: EntryView {
        var header = header
        header.fieldCount = UInt32(slotCount)
        header.byteCount = UInt32(byteCount)
        return EntryView(
            header: header,
            slots: UnsafeBufferPointer(start: slots, count: slotCount),
            bytes: UnsafeRawBufferPointer(start: bytes, count: byteCount)
        )
    }

    @inline(__always)
    private func addSlot(nameLength: Int, valueLength: Int) {
        if slotCount == slotCapacity { growSlots() }
        slots[slotCount] = FieldSlot(
            start: UInt32(byteCount),
            nameLength: UInt32(nameLength),
            valueLength: UInt32(valueLength)
        )
        slotCount += 1
    }

    @inline(__always)
    private func append(_ source: UnsafeRawBufferPointer) {
        guard let base = source.baseAddress else { return }
        reserve(source.count)
        memcpy(bytes + byteCount, base, source.count)
        byteCount += source.count
    }

    @inline(__always)
    private func reserve(_ count: Int) {
        if byteCapacity - byteCount < count { growBytes(count) }
    }

    @inline(never)
    private func growBytes(_ count: Int) {
        let capacity = max(byteCapacity * 2, byteCount + count)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        memcpy(larger, bytes, byteCount)
        bytes.deallocate()
        bytes = larger
        byteCapacity = capacity
    }

    @inline(never)
    private func growSlots() {
        let larger = UnsafeMutablePointer<FieldSlot>.allocate(capacity: slotCapacity * 2)
        larger.update(from: slots, count: slotCount)
        slots.deallocate()
        slots = larger
        slotCapacity *= 2
    }
}
