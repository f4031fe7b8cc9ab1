import Glibc

/// An entry's bytes in place: in the reader's scratch or in a ``JournalEntry``.
///
/// The pointers are valid only for the call that handed the view out.
struct EntryView {
    let header: EntryHeader
    let slots: UnsafeBufferPointer<FieldSlot>
    let bytes: UnsafeRawBufferPointer

    var cursor: UnsafeRawBufferPointer { slice(Int(header.cursorStart), Int(header.cursorLength)) }
    var bootID: UnsafeRawBufferPointer { slice(Int(header.bootStart), Int(header.bootLength)) }

    @inline(__always)
    func name(of slot: FieldSlot) -> UnsafeRawBufferPointer { slice(Int(slot.start), Int(slot.nameLength)) }

    @inline(__always)
    func value(of slot: FieldSlot) -> UnsafeRawBufferPointer { slice(slot.valueStart, Int(slot.valueLength)) }

    /// The first value of the field.
    @inline(__always)
    func value(named name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        for slot in slots where hasName(slot, name) { return value(of: slot) }
        return nil
    }

    func value(named name: StaticString) -> UnsafeRawBufferPointer? {
        value(named: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    @inline(__always)
    func hasName(_ slot: FieldSlot, _ name: UnsafeRawBufferPointer) -> Bool {
        Int(slot.nameLength) == name.count && hasPrefix(Int(slot.start), name)
    }

    @inline(__always)
    private func hasPrefix(_ start: Int, _ name: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, let other = name.baseAddress else { return name.isEmpty }
        return memcmp(base + start, other, name.count) == 0
    }

    @inline(__always)
    private func slice(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
    }
}
