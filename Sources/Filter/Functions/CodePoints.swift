/// Text by code points, which is how CEL counts. Where text is not UTF-8, a byte that begins no code point belongs to
/// the one before it.
struct CodePoints {
    let bytes: UnsafeRawBufferPointer

    /// nil for a value that is no text.
    init?(_ value: Value) {
        guard case .string(let bytes) = value else { return nil }
        self.bytes = bytes
    }

    /// The byte at which the code point begins; the end for the one after the last, `nil` beyond.
    func offset(of position: Int) -> Int? {
        guard position >= 0 else { return nil }
        var found = 0
        var offset = 0
        while offset < bytes.count {
            if found == position { return offset }
            offset = end(at: offset)
            found += 1
        }
        return found == position ? offset : nil
    }

    /// Where the code point that begins at the offset ends.
    func end(at offset: Int) -> Int {
        var end = offset + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// Where the last code point before the offset begins.
    func start(before offset: Int) -> Int {
        var start = offset - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }

    /// The number of the code point that begins at the offset.
    func position(of offset: Int) -> Int64 {
        var position: Int64 = 0
        var current = 0
        while current < offset {
            current = end(at: current)
            position += 1
        }
        return position
    }

    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[range])
    }
}
