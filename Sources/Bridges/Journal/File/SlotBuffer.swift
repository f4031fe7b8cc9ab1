/// Some slots of a file's arrays of entries, read together.
final class SlotBuffer {
    private let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
    /// The first of them among all slots of the file.
    private var first = 0
    private var count = 0
    private var key: UInt64 = 0

    private static let capacity = 512

    deinit {
        memory.deallocate()
    }

    /// The place of an entry; `nil` if its slot is not held, or is empty.
    @inline(__always)
    func offset(at index: Int, _ file: JournalFile) -> Int? {
        let position = index &- first
        guard position >= 0, position < count, key == file.key, memory[position] != 0 else { return nil }
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
        count = withUnsafeTemporaryAllocation(byteCount: Self.capacity * 8, alignment: 8) { buffer in
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
        first = before + start
        key = file.key
    }
}
