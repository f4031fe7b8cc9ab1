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
    private let most: Int

    /// - Parameter most: how many are kept.
    init(most: Int) {
        self.most = most
    }

    func take() -> PassMemory {
        guard let memory = shelf.withLock({ $0.memories.popLast() }) else { return PassMemory() }
        // It may have been another file's.
        memory.decoder.forget()
        return memory
    }

    func give(back memory: PassMemory) {
        shelf.withLock { if $0.memories.count < most { $0.memories.append(memory) } }
    }
}
