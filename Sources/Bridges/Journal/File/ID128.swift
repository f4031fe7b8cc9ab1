/// A 128-bit identifier, as journal files hold them: of a machine, a boot, a file or a source of sequence numbers.
struct ID128: Hashable, BitwiseCopyable {
    /// The bytes in their order, in two halves.
    var first: UInt64 = 0
    var second: UInt64 = 0

    var isNull: Bool { first | second == 0 }

    /// - Parameter bytes: 16 of them.
    @inline(__always)
    init(at bytes: UnsafeRawPointer) {
        first = bytes.loadUnaligned(as: UInt64.self)
        second = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    init() {}

    /// - Parameter digits: 32 hexadecimal digits; `nil` for anything else.
    init?(hexadecimal digits: UnsafeRawBufferPointer) {
        guard digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard let high = HexadecimalDigits.value(of: digits[index]),
                let low = HexadecimalDigits.value(of: digits[index + 1])
            else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self = bytes.withUnsafeBytes { raw in
            var id = ID128()
            id.first = raw.loadUnaligned(as: UInt64.self)
            id.second = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            return id
        }
    }

    /// Writes 32 hexadecimal digits.
    @inline(__always)
    func write(to output: UnsafeMutablePointer<UInt8>) {
        HexadecimalDigits.writeAll(first.bigEndian, to: output)
        HexadecimalDigits.writeAll(second.bigEndian, to: output + 16)
    }

    var text: String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digits in
            guard let start = digits.baseAddress else { return "" }
            write(to: start)
            return String(decoding: digits, as: UTF8.self)
        }
    }
}

enum HexadecimalDigits {
    @inline(__always)
    static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        case 0x41...0x46: digit - 0x41 + 10
        default: nil
        }
    }

    /// How many digits the number takes without leading zeros.
    @inline(__always)
    static func count(of number: UInt64) -> Int { max((64 - number.leadingZeroBitCount + 3) / 4, 1) }

    /// Writes the number without leading zeros; returns how many digits it took. There must be capacity for 16.
    @inline(__always)
    static func write(_ number: UInt64, to output: UnsafeMutablePointer<UInt8>) -> Int {
        let count = count(of: number)
        writeAll(number << UInt64(64 - 4 * count), to: output)
        return count
    }

    /// Writes 16 digits.
    @inline(__always)
    static func writeAll(_ number: UInt64, to output: UnsafeMutablePointer<UInt8>) {
        let target = UnsafeMutableRawPointer(output)
        target.storeBytes(of: eight(number >> 32).littleEndian, as: UInt64.self)
        target.storeBytes(of: eight(number & 0xFFFF_FFFF).littleEndian, toByteOffset: 8, as: UInt64.self)
    }

    /// Eight digits, the first one in the lowest byte.
    @inline(__always)
    private static func eight(_ number: UInt64) -> UInt64 {
        // Each four bits move into a byte of their own.
        var digits = (number << 16 | number) & 0x0000_FFFF_0000_FFFF
        digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
        digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte above 9, which means a letter.
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).byteSwapped
    }
}
