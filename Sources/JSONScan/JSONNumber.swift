/// A JSON number (RFC 8259, section 6): a minus, digits without a leading zero, a fraction, an exponent.
package enum JSONNumber {
    /// Whether all of the text is one.
    package static func isOne(_ text: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        return skip(in: text, at: &position) && position == text.count
    }

    /// Skips the number at `position`; false if there is none.
    package static func skip(in text: UnsafeRawBufferPointer, at position: inout Int) -> Bool {
        func take(_ symbol: Unicode.Scalar) -> Bool {
            guard position < text.count, text[position] == UInt8(ascii: symbol) else { return false }
            position += 1
            return true
        }
        func digits() -> Bool {
            let start = position
            while position < text.count, (0x30...0x39).contains(text[position]) { position += 1 }
            return position > start
        }
        _ = take("-")
        guard take("0") || digits() else { return false }
        if take("."), !digits() { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits()
        }
        return true
    }
}
