/// Writes a value as a JSON string, or as an array of numbers if it is not text; in one pass, eight bytes at a time
/// where they need no change.
package enum JSONText {
    @inline(__always)
    package static func append(_ value: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
        let before = output.count
        if !string(value, to: &output) {
            output.truncate(to: before)
            array(value, to: &output)
        }
    }

    /// Writes a member's name, with U+FFFD for bytes that are not text.
    static func append(name: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
        append(text: name, to: &output)
    }

    /// Writes a JSON string whatever the bytes are, with U+FFFD for bytes that are not text.
    package static func append(text: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
        let before = output.count
        if string(text, to: &output) { return }
        output.truncate(to: before)
        output.append(json: String(decoding: text, as: UTF8.self))
    }

    /// Writes `,"NAME":value`.
    @inline(__always)
    package static func appendMember(
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        to output: inout OutputBuffer
    ) {
        let before = output.count
        let target = output.reserve((name.count + value.count) * 2 + 32)
        target[0] = UInt8(ascii: ",")
        var written = 1
        if string(name, target, &written) {
            target[written] = UInt8(ascii: ":")
            written += 1
            let beforeValue = written
            if string(value, target, &written) {
                output.advance(by: written)
                return
            }
            output.advance(by: beforeValue)
        } else {
            // An invalid name, from a damaged file; it still has to come out as JSON.
            output.truncate(to: before)
            output.append(",\"?\":")
        }
        array(value, to: &output)
    }

    private static func string(_ value: UnsafeRawBufferPointer, to output: inout OutputBuffer) -> Bool {
        var written = 0
        guard string(value, output.reserve(value.count * 2 + 16), &written) else { return false }
        output.advance(by: written)
        return true
    }

    /// Each byte becomes at most two; and eight are stored even where fewer count.
    @inline(__always)
    private static func string(
        _ value: UnsafeRawBufferPointer,
        _ target: UnsafeMutablePointer<UInt8>,
        _ length: inout Int
    ) -> Bool {
        let count = value.count
        var written = length
        target[written] = UInt8(ascii: "\"")
        written += 1
        if let base = value.baseAddress {
            let bytes = base.assumingMemoryBound(to: UInt8.self)
            var index = 0
            while index < count {
                let rest = count - index
                let word =
                    rest >= 8
                    ? UInt64(littleEndian: (base + index).loadUnaligned(as: UInt64.self))
                    : lastWord(base + index, rest, index)
                let suspects = suspects(in: word)
                let plain = min(rest, suspects.trailingZeroBitCount >> 3)
                UnsafeMutableRawPointer(target + written).storeBytes(of: word.littleEndian, as: UInt64.self)
                index += plain
                written += plain
                if suspects != 0, !special(bytes, &index, count, target, &written) { return false }
            }
        }
        target[written] = UInt8(ascii: "\"")
        length = written + 1
        return true
    }

    /// The character there, which needs a closer look. False if it is not text.
    @inline(never)
    private static func special(
        _ bytes: UnsafePointer<UInt8>,
        _ index: inout Int,
        _ count: Int,
        _ target: UnsafeMutablePointer<UInt8>,
        _ written: inout Int
    ) -> Bool {
        let byte = bytes[index]
        if byte >= 0x7F {
            let length = Printable.length(bytes, index, count)
            for offset in 0..<length { target[written + offset] = bytes[index + offset] }
            written += length
            index += length
            return length > 0
        }
        guard let letter = escape(byte) else { return false }
        target[written] = UInt8(ascii: "\\")
        target[written + 1] = letter
        written += 2
        index += 1
        return true
    }

    /// The last bytes of a value, fewer than eight, with spaces behind them. Nothing behind the value is touched:
    /// it may be the end of a mapped file, behind which reading ends the process.
    @inline(__always)
    private static func lastWord(_ start: UnsafeRawPointer, _ rest: Int, _ before: Int) -> UInt64 {
        let bits = UInt64(rest) &* 8
        let spaces: UInt64 = 0x2020_2020_2020_2020 &<< bits
        if before + rest >= 8 {
            return (start + rest - 8).loadUnaligned(as: UInt64.self) &>> (64 &- bits) | spaces
        }
        var word: UInt64 = 0
        for index in stride(from: rest - 1, through: 0, by: -1) {
            word = word << 8 | UInt64(start.load(fromByteOffset: index, as: UInt8.self))
        }
        return word | spaces
    }

    /// Not zero if one of the eight bytes is not ASCII, or is a control character, a quotation mark or a backslash.
    /// The lowest bit that is set is the highest bit of the first such byte.
    @inline(__always)
    private static func suspects(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        // A byte's high bit comes out set if it was below 0x20, or equal, or 0x7F and above. Carries into the bytes behind
        // it do not matter.
        let low = word &- (ones &* 0x20)
        let suspects = low | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &+ ones)
        return (suspects | word) & highs
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

extension OutputBuffer {
    /// Writes a text as a JSON string, whatever it contains.
    package mutating func append(json text: String) {
        append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            default:
                if TerminalText.isActive(scalar.value) {
                    let digits = String(scalar.value, radix: 16)
                    append(text: "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
                } else {
                    append(text: String(scalar))
                }
            }
        }
        append("\"")
    }
}
