/// Reads the fixed-width numbers of a date or a time, such as `2026-11-23T21:07:26.5`.
package struct DigitReader {
    private let text: UnsafeRawBufferPointer
    /// How many bytes have been read.
    package private(set) var position = 0

    /// - Parameter text: outlives the reader.
    package init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    package var isAtEnd: Bool { position == text.count }

    /// Whether that character comes next, which is then read.
    package mutating func take(_ symbol: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: symbol) else { return false }
        position += 1
        return true
    }

    /// A number of so many digits.
    package mutating func number(_ width: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// The digits of a second's fraction, as a number of so many; further digits are dropped.
    package mutating func fraction(digits width: Int) -> Int64? {
        guard var value = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            if count < width {
                value = value * 10 + digit
                count += 1
            }
        }
        for _ in count..<width { value *= 10 }
        return value
    }

    private mutating func digit() -> Int64? {
        guard position < text.count, (0x30...0x39).contains(text[position]) else { return nil }
        defer { position += 1 }
        return Int64(text[position]) - 0x30
    }
}
