import Bus

/// The memory of a running pass: a piece of the file, and the decoder of its values.
final class PassMemory {
    static let capacity = 128 << 10

    let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 4096)
    let decoder = PayloadDecoder()

    deinit {
        buffer.deallocate()
    }
}

/// Memory that passes have given back. A search makes a pass for every few megabytes, and to take memory from the system and give it back each
/// time costs about a tenth of the search.
final class PassMemories: Sendable {
    // Sendable: memory is on the shelf or with one pass, and the lock orders the passes' writes.
    private struct Shelf: @unchecked Sendable {
        var memories: [PassMemory] = []
    }

    private let shelf = Lock(Shelf())
    private let limit: Int

    /// - Parameter limit: how many are kept.
    init(limit: Int) {
        self.limit = limit
    }

    func take() -> PassMemory {
        guard let memory = shelf.withLock({ $0.memories.popLast() }) else { return PassMemory() }
        // It may have been another file's.
        memory.decoder.forget()
        return memory
    }

    func give(back memory: PassMemory) {
        shelf.withLock { if $0.memories.count < limit { $0.memories.append(memory) } }
    }
}
