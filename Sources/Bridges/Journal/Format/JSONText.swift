/// Writes a value as a JSON string, or as an array of numbers if it is no text; in one pass, eight bytes at a time where they
/// need no change.
enum JSONText {
    @inline(__always)
    static func append(_ value: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
        let before = output.count
        if !string(value, to: &output) {
            output.truncate(to: before)
            array(value, to: &output)
        }
    }

    private static func string(_ value: UnsafeRawBufferPointer, to output: inout OutputBuffer) -> Bool {
        let count = value.count
        // Each byte becomes two at most; and eight are stored even where fewer count.
        let target = output.reserve(count * 2 + 16)
        target[0] = UInt8(ascii: "\"")
        var written = 1
        guard let base = value.baseAddress else {
            target[1] = UInt8(ascii: "\"")
            output.advance(by: 2)
            return true
        }
        let bytes = base.assumingMemoryBound(to: UInt8.self)
        var index = 0
        while index < count {
            while count - index >= 8 {
                let word = (base + index).loadUnaligned(as: UInt64.self)
                guard isPlain(word) else { break }
                UnsafeMutableRawPointer(target + written).storeBytes(of: word, as: UInt64.self)
                index += 8
                written += 8
            }
            // Bytewise up to and with the one that needed a look, or the rest.
            var looked = 0
            while index < count, looked < 8 {
                let byte = bytes[index]
                looked += 1
                if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                    target[written] = byte
                    written += 1
                    index += 1
                } else if byte >= 0x7F {
                    let length = Printable.length(bytes, index, count)
                    guard length > 0 else { return false }
                    for offset in 0..<length { target[written + offset] = bytes[index + offset] }
                    written += length
                    index += length
                } else {
                    guard let letter = escape(byte) else { return false }
                    target[written] = UInt8(ascii: "\\")
                    target[written + 1] = letter
                    written += 2
                    index += 1
                }
            }
        }
        target[written] = UInt8(ascii: "\"")
        output.advance(by: written + 1)
        return true
    }

    /// Whether all eight bytes are ASCII, none a control character, quotation mark or backslash.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        // A byte's high bit comes out set if it was below 0x20, or equal, or 0x7F and above.
        let low = word &- (ones &* 0x20)
        let suspects = low | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &+ ones)
        return (suspects | word) & highs == 0
    }

    private static func escape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case 0x0A: UInt8(ascii: "n")
        case 0x09: UInt8(ascii: "t")
        default: nil
        }
    }

    private static func array(_ value: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
        output.append(UInt8(ascii: "["))
        for (index, byte) in value.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(decimal: UInt64(byte))
        }
        output.append(UInt8(ascii: "]"))
    }
}
