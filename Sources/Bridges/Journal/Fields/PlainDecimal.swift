/// Whole numbers in the one spelling that an index look-up for them finds: no sign but `-`, no leading zeros.
package enum PlainDecimal {
    package static func parse(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        let negative = bytes.first == UInt8(ascii: "-")
        let digits = negative ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) : bytes
        guard !digits.isEmpty, digits.count <= 19, digits.count == 1 || digits[0] != 0x30 else { return nil }
        if negative, digits[0] == 0x30 { return nil }
        var magnitude: UInt64 = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            magnitude = magnitude &* 10 &+ UInt64(byte - 0x30)
        }
        if negative {
            return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return Int64(exactly: magnitude)
    }
}
