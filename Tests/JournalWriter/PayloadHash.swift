/// The hashes of journal files, implemented independently of the reader that they check.
package enum PayloadHash {
    /// Bob Jenkins' lookup3, `hashlittle2`. Its first half becomes the upper one.
    package static func lookup3(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var state = Lookup3(count: bytes.count)
            var index = 0
            while bytes.count - index > 12 {
                state.add(bytes, index)
                state.mix()
                index += 12
            }
            guard index < bytes.count else { return state.value }
            state.add(bytes, index)
            state.finish()
            return state.value
        }
    }

    /// SipHash-2-4 under a key of 16 bytes.
    package static func sipHash(_ bytes: [UInt8], key: [UInt8]) -> UInt64 {
        var state = key.withUnsafeBytes { SipHash(number($0, 0), number($0, 8)) }
        return bytes.withUnsafeBytes { bytes in
            var index = 0
            while bytes.count - index >= 8 {
                state.add(number(bytes, index))
                index += 8
            }
            state.add(number(bytes, index) | UInt64(bytes.count & 0xFF) << 56)
            return state.finish()
        }
    }

    /// The little-endian number at an index, with zeros for bytes after the end.
    private static func number<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Number {
        if bytes.count - index >= Number.bitWidth / 8 {
            return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: Number.self))
        }
        guard index < bytes.count else { return 0 }
        return bytes[index...].reversed().reduce(0) { $0 << 8 | Number($1) }
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

        mutating func add(_ bytes: UnsafeRawBufferPointer, _ index: Int) {
            a &+= number(bytes, index)
            b &+= number(bytes, index + 4)
            c &+= number(bytes, index + 8)
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

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word &<< count | word &>> (32 &- count) }
    private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word &<< count | word &>> (64 &- count) }
}
