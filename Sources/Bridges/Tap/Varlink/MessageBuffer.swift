/// Bytes that came from a client, cut into messages at zero bytes.
struct MessageBuffer {
    /// The longest message.
    let limit: Int
    private var bytes: [UInt8] = []
    /// The beginning of the next message.
    private var start = 0
    /// The place up to which there is no zero byte.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// How many bytes may be added before a message must be taken.
    var freeCapacity: Int { max(0, limit + 1 - (bytes.count - start)) }

    /// Whether no message has come that was not taken; half of one may have.
    var isEmptyOfMessages: Bool { !bytes[searched...].contains(0) }

    /// Whether the data is longer than a message may be, and has no end.
    var isTooLong: Bool { bytes.count - start > limit && searched == bytes.count }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: new)
    }

    /// The next message, without its zero byte.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: 0) else {
            searched = bytes.count
            return nil
        }
        defer {
            start = end + 1
            searched = start
        }
        return bytes[start..<end]
    }

    /// Takes all bytes that have come and were not taken. Another protocol follows.
    mutating func takeRest() -> ArraySlice<UInt8> {
        defer { removeAll() }
        return bytes[start...]
    }

    /// Drops the data, and its memory.
    mutating func removeAll() { self = MessageBuffer(limit: limit) }
}
