/// The hashes of journal files, written apart from those of the reader that they judge.
package enum PayloadHash {
    /// Bob Jenkins' lookup3, `hashlittle2`, of which the first half is the upper one.
    package static func lookup3(_ bytes: [UInt8]) -> UInt64 {
        var state = Lookup3(count: bytes.count)
        var rest = bytes[...]
        while rest.count > 12 {
            state.add(rest.prefix(12))
            state.mix()
            rest = rest.dropFirst(12)
        }
        guard !rest.isEmpty else { return state.value }
        state.add(rest)
        state.finish()
        return state.value
    }

    /// SipHash-2-4 under a key of 16 bytes.
    package static func sipHash(_ bytes: [UInt8], key: [UInt8]) -> UInt64 {
        var state = SipHash(number(key[..<8]), number(key[8...]))
        var rest = bytes[...]
        while rest.count >= 8 {
            state.add(number(rest.prefix(8)))
            rest = rest.dropFirst(8)
        }
        state.add(number(rest) | UInt64(bytes.count & 0xFF) << 56)
        return state.finish()
    }

    /// Up to eight bytes, the lowest first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private struct Lookup3 {
        var a: UInt32
        var b: UInt32
        var c: UInt32

        init(count: Int) {
            a = 0xDEAD_BEEF &+ UInt32(truncatingIfNeeded: count)
            b = a
            c = a
        }

        var value: UInt64 { UInt64(c) << 32 | UInt64(b) }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            a &+= UInt32(truncatingIfNeeded: number(bytes.prefix(4)))
            b &+= UInt32(truncatingIfNeeded: number(bytes.dropFirst(4).prefix(4)))
            c &+= UInt32(truncatingIfNeeded: number(bytes.dropFirst(8)))
        }

        mutating func mix() {
            a = (a &- c) ^ rotated(c, 4)
            c &+= b
            b = (b &- a) ^ rotated(a, 6)
            a &+= c
            c = (c &- b) ^ rotated(b, 8)
            b &+= a
            a = (a &- c) ^ rotated(c, 16)
            c &+= b
            b = (b &- a) ^ rotated(a, 19)
            a &+= c
            c = (c &- b) ^ rotated(b, 4)
            b &+= a
        }

        mutating func finish() {
            c = (c ^ b) &- rotated(b, 14)
            a = (a ^ c) &- rotated(c, 11)
            b = (b ^ a) &- rotated(a, 25)
            c = (c ^ b) &- rotated(b, 16)
            a = (a ^ c) &- rotated(c, 4)
            b = (b ^ a) &- rotated(a, 14)
            c = (c ^ b) &- rotated(b, 24)
        }
    }

    private struct SipHash {
        var v0: UInt64
        var v1: UInt64
        var v2: UInt64
        var v3: UInt64

        init(_ k0: UInt64, _ k1: UInt64) {
            v0 = 0x736F_6D65_7073_6575 ^ k0
            v1 = 0x646F_7261_6E64_6F6D ^ k1
            v2 = 0x6C79_6765_6E65_7261 ^ k0
            v3 = 0x7465_6462_7974_6573 ^ k1
        }

        mutating func add(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func finish() -> UInt64 {
            v2 ^= 0xFF
            for _ in 0..<4 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        private mutating func round() {
            v0 &+= v1
            v1 = rotated(v1, 13) ^ v0
            v0 = rotated(v0, 32)
            v2 &+= v3
            v3 = rotated(v3, 16) ^ v2
            v0 &+= v3
            v3 = rotated(v3, 21) ^ v0
            v2 &+= v1
            v1 = rotated(v1, 17) ^ v2
            v2 = rotated(v2, 32)
        }
    }

    private static func rotated<Word: FixedWidthInteger & UnsignedInteger>(_ word: Word, _ count: Int) -> Word {
        word << Word(count) | word >> Word(Word.bitWidth - count)
    }
}
