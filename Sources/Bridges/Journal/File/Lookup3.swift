/// Bob Jenkins' hash lookup3 (https://burtleburtle.net/bob/c/lookup3.c), of which journal files use both halves.
///
/// The checksum at the end of a cursor is made of it: the hashes of an entry's fields, combined by exclusive or.
enum Lookup3 {
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var a = UInt32(truncatingIfNeeded: 0xDEAD_BEEF &+ bytes.count)
        var b = a
        var c = a
        var index = 0
        while bytes.count - index > 12 {
            a &+= word(bytes, index)
            b &+= word(bytes, index + 4)
            c &+= word(bytes, index + 8)
            mix(&a, &b, &c)
            index += 12
        }
        if index < bytes.count {
            a &+= word(bytes, index)
            b &+= word(bytes, index + 4)
            c &+= word(bytes, index + 8)
            finish(&a, &b, &c)
        }
        return UInt64(c) << 32 | UInt64(b)
    }

    /// Four bytes, with zeros for those behind the end.
    private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt32 {
        if index + 4 <= bytes.count {
            return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
        }
        var word: UInt32 = 0
        for offset in 0..<4 where index + offset < bytes.count {
            word |= UInt32(bytes[index + offset]) << UInt32(offset * 8)
        }
        return word
    }

    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { value << count | value >> (32 - count) }

    private static func mix(_ a: inout UInt32, _ b: inout UInt32, _ c: inout UInt32) {
        a &-= c
        a ^= rotate(c, 4)
        c &+= b
        b &-= a
        b ^= rotate(a, 6)
        a &+= c
        c &-= b
        c ^= rotate(b, 8)
        b &+= a
        a &-= c
        a ^= rotate(c, 16)
        c &+= b
        b &-= a
        b ^= rotate(a, 19)
        a &+= c
        c &-= b
        c ^= rotate(b, 4)
        b &+= a
    }

    private static func finish(_ a: inout UInt32, _ b: inout UInt32, _ c: inout UInt32) {
        c = (c ^ b) &- rotate(b, 14)
        a = (a ^ c) &- rotate(c, 11)
        b = (b ^ a) &- rotate(a, 25)
        c = (c ^ b) &- rotate(b, 16)
        a = (a ^ c) &- rotate(c, 4)
        b = (b ^ a) &- rotate(a, 14)
        c = (c ^ b) &- rotate(b, 24)
    }
}
