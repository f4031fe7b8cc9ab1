/// Text that a terminal may show safely. Characters that control a terminal, or that change the order in which a
/// reader sees others, have a visible form: `\x1b` for a control character of ASCII, `\u202e` for another character,
/// `\xff` for a byte that is not UTF-8.
package enum TerminalText {
    /// Control characters, the line and paragraph separators, and characters that set the direction of writing.
    package static func isActive(_ scalar: UInt32) -> Bool {
        switch scalar {
        case ..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The visible form of a character.
    package static func visible(_ scalar: UInt32) -> String {
        let digits = String(scalar, radix: 16)
        let width = scalar < 0x80 ? 2 : 4
        return (scalar < 0x80 ? "\\x" : "\\u") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The visible form of a text, apart from tabs and line feeds.
    package static func visible(_ text: [UInt8]) -> [UInt8] {
        var output = OutputBuffer(capacity: text.count)
        text.withUnsafeBytes { append($0, keepsLines: true, to: &output) }
        return output.withBytes { Array($0) }
    }

    /// Appends a value that is part of a line and must not end it: tabs and line feeds are made visible, too.
    package static func append(partOfLine value: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
        append(value, keepsLines: false, to: &output)
    }

    /// Makes the content of `output` from `start` on visible, apart from tabs and line feeds.
    package static func makeVisible(from start: Int, in output: inout OutputBuffer) {
        let isHarmless = output.withBytes { bytes in
            bytes[start...].allSatisfy { $0 < 0x7F && ($0 >= 0x20 || isLayout($0)) }
        }
        if isHarmless { return }
        let text = output.withBytes { Array($0[start...]) }
        output.truncate(to: start)
        text.withUnsafeBytes { append($0, keepsLines: true, to: &output) }
    }

    /// Appends a value. Tabs and line feeds are left as they are where they are kept.
    static func append(_ value: UnsafeRawBufferPointer, keepsLines: Bool, to output: inout OutputBuffer) {
        var index = 0
        var plainStart = 0
        while index < value.count {
            let byte = value[index]
            if byte < 0x7F && (byte >= 0x20 || keepsLines && isLayout(byte)) {
                index += 1
                continue
            }
            let (scalar, length) = decode(value, index)
            if let scalar, !isActive(scalar) {
                index += length
                continue
            }
            output.append(UnsafeRawBufferPointer(rebasing: value[plainStart..<index]))
            output.append(text: scalar.map(visible) ?? "\\x" + String(byte, radix: 16))
            index += length
            plainStart = index
        }
        output.append(UnsafeRawBufferPointer(rebasing: value[plainStart...]))
    }

    private static func isLayout(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A }

    /// The character at `index`; `nil` for a byte that begins none.
    private static func decode(_ value: UnsafeRawBufferPointer, _ index: Int) -> (scalar: UInt32?, length: Int) {
        var iterator = value[index...].prefix(4).makeIterator()
        var decoder = Unicode.UTF8.ForwardParser()
        guard case .valid(let character) = decoder.parseScalar(from: &iterator) else { return (nil, 1) }
        return (Unicode.UTF8.decode(character).value, character.count)
    }
}
