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
            guard let high = Self.value(of: digits[index]), let low = Self.value(of: digits[index + 1]) else {
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

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        case 0x41...0x46: digit - 0x41 + 10
        default: nil
        }
    }

    /// Writes 32 hexadecimal digits.
    @inline(__always)
    func write(to output: UnsafeMutablePointer<UInt8>) {
        Self.write(first, to: output)
        Self.write(second, to: output + 16)
    }

    @inline(__always)
    private static func write(_ half: UInt64, to output: UnsafeMutablePointer<UInt8>) {
        var bytes = half
        for index in 0..<8 {
            output[2 * index] = HexadecimalDigits.digit(UInt8(truncatingIfNeeded: bytes) >> 4)
            output[2 * index + 1] = HexadecimalDigits.digit(UInt8(truncatingIfNeeded: bytes) & 15)
            bytes >>= 8
        }
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
    static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 - 10 + value }

    /// How many digits the number takes without leading zeros.
    @inline(__always)
    static func count(of number: UInt64) -> Int { max((64 - number.leadingZeroBitCount + 3) / 4, 1) }

    /// Writes the number without leading zeros; answers how many digits it took.
    @inline(__always)
    static func write(_ number: UInt64, to output: UnsafeMutablePointer<UInt8>) -> Int {
        let count = count(of: number)
        for index in 0..<count {
            output[index] = digit(UInt8(truncatingIfNeeded: number >> UInt64(4 * (count - 1 - index))) & 15)
        }
        return count
    }
}
