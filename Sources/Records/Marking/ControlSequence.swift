/// Control sequences of terminals, which begin with ESC (ECMA-48).
enum ControlSequence {
    /// The index after the sequence that begins at `start`. For an incomplete sequence, the index after its last
    /// part.
    static func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        let rest = text[(start + 1)...]
        switch rest.first {
        case UInt8(ascii: "["):
            return end(of: rest.dropFirst().drop { (0x20...0x3F).contains($0) }, 0x40...0x7E)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            return endOfString(rest.dropFirst())
        default: return end(of: rest.drop { (0x20...0x2F).contains($0) }, 0x30...0x7E)
        }
    }

    /// Whether it sets only colours and other text attributes.
    static func isColor(_ sequence: UnsafeRawBufferPointer.SubSequence) -> Bool {
        sequence.dropFirst().first == UInt8(ascii: "[") && sequence.last == UInt8(ascii: "m")
    }

    /// Whether it ends all colours before it.
    static func resets(_ color: UnsafeRawBufferPointer.SubSequence) -> Bool {
        let first = color.dropFirst(2).prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "m") }
        return first.allSatisfy { $0 == UInt8(ascii: "0") }
    }

    private static func end(
        of rest: UnsafeRawBufferPointer.SubSequence,
        _ last: ClosedRange<UInt8>
    ) -> Int {
        rest.first.map(last.contains) == true ? rest.startIndex + 1 : rest.startIndex
    }

    /// Behind BEL, or ESC and a backslash.
    private static func endOfString(_ rest: UnsafeRawBufferPointer.SubSequence) -> Int {
        guard let end = rest.firstIndex(where: { $0 == 0x07 || $0 == 0x1B }) else { return rest.endIndex }
        if rest[end] == 0x07 { return end + 1 }
        return rest[(end + 1)...].first == UInt8(ascii: "\\") ? end + 2 : end
    }
}
