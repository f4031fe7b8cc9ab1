import Glibc

/// An entry in one allocation: its header, then the slots, then the bytes.
///
/// Sendable although ManagedBuffer is not: it is written once, in `copying`, and never again.
struct EntryStorage: @unchecked Sendable {
    private let buffer: ManagedBuffer<EntryHeader, UInt32>
    private static let slotWords = MemoryLayout<FieldSlot>.stride / MemoryLayout<UInt32>.stride

    static func copying(_ view: EntryView) -> EntryStorage {
        let words = view.slots.count * slotWords + (view.bytes.count + 3) / 4
        let buffer = ManagedBuffer<EntryHeader, UInt32>.create(minimumCapacity: words) { _ in view.header }
        buffer.withUnsafeMutablePointerToElements { elements in
            let raw = UnsafeMutableRawPointer(elements)
            if let slots = view.slots.baseAddress {
                memcpy(raw, slots, view.slots.count * MemoryLayout<FieldSlot>.stride)
            }
            if let bytes = view.bytes.baseAddress {
                memcpy(raw + view.slots.count * MemoryLayout<FieldSlot>.stride, bytes, view.bytes.count)
            }
        }
        return EntryStorage(buffer: buffer)
    }

    var header: EntryHeader { buffer.header }

    @inline(__always)
    func withView<Result, Failure: Error>(_ body: (EntryView) throws(Failure) -> Result) throws(Failure) -> Result {
        try buffer.withUnsafeMutablePointers { (header, elements) throws(Failure) -> Result in
            let raw = UnsafeRawPointer(elements)
            let count = Int(header.pointee.fieldCount)
            // `copying` laid the slots out from the start; UInt32 elements give them their alignment.
            let slots = raw.assumingMemoryBound(to: FieldSlot.self)
            return try body(
                EntryView(
                    header: header.pointee,
                    slots: UnsafeBufferPointer(start: slots, count: count),
                    bytes: UnsafeRawBufferPointer(
                        start: raw + count * MemoryLayout<FieldSlot>.stride,
                        count: Int(header.pointee.byteCount)
                    )
                )
            )
        }
    }
}
