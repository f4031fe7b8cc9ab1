/// Some slots of a file's arrays of entries, read together.
///
/// It is a view of memory that its ``JournalFile`` owns; see ``WindowCache``.
struct SlotBuffer: BitwiseCopyable {
    private struct Held: BitwiseCopyable {
        /// The first of them among all slots of the file.
        var first = 0
        var count = 0
        var key: UInt64 = 0
    }

    private let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
    private let held = UnsafeMutablePointer<Held>.allocate(capacity: 1)

    private static let capacity = 512

    init() {
        held.initialize(to: Held())
    }

    /// Gives the memory back. No copy can be used any more.
    func deallocate() {
        memory.deallocate()
        held.deallocate()
    }

    /// The place of an entry; `nil` if its slot is not held, or is empty.
    @inline(__always)
    func offset(at index: Int, _ key: UInt64) -> Int? {
        let position = index &- held.pointee.first
        guard position >= 0, position < held.pointee.count, key == held.pointee.key, memory[position] != 0 else {
            return nil
        }
        return Int(clamping: memory[position])
    }

    /// Reads the slots around one of an array.
    ///
    /// - Parameters:
    ///   - position: the slot's among those of the array.
    ///   - inUse: how many slots of the array are in use.
    ///   - items: where the array's first slot is.
    ///   - before: how many slots there are before the array.
    func load(_ position: Int, of inUse: Int, from items: Int, before: Int, _ file: JournalFile) {
        let start = position & ~(Self.capacity - 1)
        let wanted = min(Self.capacity, inUse - start)
        let count = withUnsafeTemporaryAllocation(byteCount: Self.capacity * 8, alignment: 8) {
            buffer -> Int in
            guard let bytes = buffer.baseAddress else { return 0 }
            let size = file.slotSize
            let read = FileReads.read(file.descriptor, bytes, wanted * size, at: items + start * size) / size
            let source = UnsafeRawPointer(bytes)
            for index in 0..<read {
                memory[index] =
                    size == 4 ? UInt64(source.shortNumber(at: 4 * index)) : source.number(at: 8 * index)
            }
            return read
        }
        held.pointee = Held(first: before + start, count: count, key: file.key)
    }
}
