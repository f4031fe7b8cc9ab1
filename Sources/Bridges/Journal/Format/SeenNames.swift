/// A set of names that may take one for another but never overlooks one: whether it pays to compare with all names before.
struct SeenNames {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Adds the name. Whether it may have been there before.
    @inline(__always)
    mutating func mayHaveSeen(_ name: UnsafeRawBufferPointer) -> Bool {
        let hash = Self.hash(name)
        let bit: UInt64 = 1 << (hash & 63)
        switch hash >> 6 & 3 {
        case 0: return Self.add(bit, &bits.0)
        case 1: return Self.add(bit, &bits.1)
        case 2: return Self.add(bit, &bits.2)
        default: return Self.add(bit, &bits.3)
        }
    }

    @inline(__always)
    private static func add(_ bit: UInt64, _ word: inout UInt64) -> Bool {
        defer { word |= bit }
        return word & bit != 0
    }

    /// From the name's length, beginning and end.
    @inline(__always)
    private static func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var mixed = UInt64(name.count)
        if name.count >= 8 {
            mixed ^= name.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
            mixed &*= 0x9E37_79B9_7F4A_7C15
            mixed ^= name.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
        } else {
            for byte in name { mixed = mixed << 8 ^ UInt64(byte) }
        }
        return (mixed &* 0x9E37_79B9_7F4A_7C15) >> 56
    }
}
