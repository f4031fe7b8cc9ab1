/// The hashes by which a journal file finds its values: of `NAME=value`, and of a field's name.
enum FieldHash {
    /// SipHash-2-4, as Jean-Philippe Aumasson and Daniel J. Bernstein describe it (https://131002.net/siphash/), with the
    /// file's id as the key.
    static func keyed(_ bytes: UnsafeRawBufferPointer, _ key: ID128) -> UInt64 {
        let low = UInt64(littleEndian: key.first)
        let high = UInt64(littleEndian: key.second)
        var v0 = low ^ 0x736f_6d65_7073_6575
        var v1 = high ^ 0x646f_7261_6e64_6f6d
        var v2 = low ^ 0x6c79_6765_6e65_7261
        var v3 = high ^ 0x7465_6462_7974_6573

        func round() {
            v0 &+= v1
            v1 = rotate(v1, 13) ^ v0
            v0 = rotate(v0, 32)
            v2 &+= v3
            v3 = rotate(v3, 16) ^ v2
            v0 &+= v3
            v3 = rotate(v3, 21) ^ v0
            v2 &+= v1
            v1 = rotate(v1, 17) ^ v2
            v2 = rotate(v2, 32)
        }

        let whole = bytes.count & ~7
        for index in stride(from: 0, to: whole, by: 8) {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            v3 ^= word
            round()
            round()
            v0 ^= word
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for index in whole..<bytes.count { last |= UInt64(bytes[index]) << UInt64(8 * (index - whole)) }
        v3 ^= last
        round()
        round()
        v0 ^= last
        v2 ^= 0xff
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    /// The hash of files without keyed hashes.
    static func plain(_ bytes: UnsafeRawBufferPointer) -> UInt64 { Lookup3.hash(bytes) }

    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 { value << count | value >> (64 - count) }
}
