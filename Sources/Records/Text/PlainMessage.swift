import Glibc

/// A message in a line of text: tabs as spaces, without colours, its further lines below the first.
package enum PlainMessage {
    /// - Parameters:
    ///   - keepsControls: whether text with other control characters than these is written as it is.
    ///   - keepsAll: whether everything is: tabs, colours, and bytes that are not text.
    package static func append(
        _ message: UnsafeRawBufferPointer,
        indent: Int,
        keepsControls: Bool,
        keepsAll: Bool = false,
        to output: inout OutputBuffer
    ) {
        // A message without these is already in its final form.
        if keepsAll || !message.contains(where: { $0 < 0x20 }) {
            append(lines: message, indent: indent, keepsControls: keepsControls, keepsAll: keepsAll, to: &output)
            return
        }
        var plain: [UInt8] = []
        plain.reserveCapacity(message.count + 16)
        strip(message, into: &plain) { _, _ in }
        plain.withUnsafeBytes { append(lines: $0, indent: indent, keepsControls: keepsControls, to: &output) }
    }

    /// The lines of one message are indented by so many spaces together, and by not many more than it has bytes.
    private static let maxIndentation = 16 << 20

    /// The same without another change: each line but the first is indented by so many spaces. Of bytes that are not
    /// text, the size.
    package static func append(
        lines message: UnsafeRawBufferPointer,
        indent: Int,
        keepsControls: Bool,
        keepsAll: Bool = false,
        to output: inout OutputBuffer
    ) {
        append(lines: message, indent: indent, keepsControls: keepsControls, keepsAll: keepsAll, to: &output) {
            line,
            output in
            output.append(UnsafeRawBufferPointer(rebasing: message[line]))
        }
    }

    /// The same with lines that `write` appends.
    @inline(__always)
    static func append(
        lines message: UnsafeRawBufferPointer,
        indent: Int,
        keepsControls: Bool,
        keepsAll: Bool = false,
        to output: inout OutputBuffer,
        write: (Range<Int>, inout OutputBuffer) -> Void
    ) {
        guard keepsAll || Printable.isPrintable(message) || keepsControls && isText(message) else {
            output.append("[")
            appendSize(message.count, to: &output)
            output.append(" blob data]\n")
            return
        }
        var rest = message[...]
        var isFirst = true
        // A message of many lines below a long name would take many times its size.
        var spacesLeft = min(4096 + 64 * message.count, maxIndentation)
        repeat {
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            if !isFirst {
                let spaces = min(indent, spacesLeft)
                output.append(spaces: spaces)
                spacesLeft -= spaces
            }
            write(rest.startIndex..<end, &output)
            output.append("\n")
            isFirst = false
            rest = end < rest.endIndex ? rest[(end + 1)...] : rest[end...]
        } while !rest.isEmpty
    }

    /// UTF-8 that no program has written as binary data: such data nearly always has a zero byte.
    package static func isText(_ message: UnsafeRawBufferPointer) -> Bool {
        !message.contains(0) && String(validating: message, as: UTF8.self) != nil
    }

    /// `512B`, `4.8K`, `1.2M`.
    private static func appendSize(_ count: Int, to output: inout OutputBuffer) {
        guard count >= 1024 else {
            output.append(decimal: UInt64(count))
            output.append("B")
            return
        }
        let isLarge = count >= 1 << 20
        let tenths = (isLarge ? count >> 10 : count) * 10 / 1024
        output.append(decimal: UInt64(tenths / 10))
        output.append(".")
        output.append(decimal: UInt64(tenths % 10))
        output.append(isLarge ? "M" : "K")
    }

    /// - Parameter reach: called with how much output has been made from the message up to a place.
    @inline(__always)
    static func strip(
        _ message: UnsafeRawBufferPointer,
        into plain: inout [UInt8],
        reach: (_ place: Int, _ made: Int) -> Void
    ) {
        var index = 0
        while index < message.count {
            reach(index, plain.count)
            let byte = message[index]
            switch byte {
            case 0x09:
                plain += repeatElement(0x20, count: 8)
            case 0x0D where index + 1 == message.count || message[index + 1] == 0x0A:
                break
            case 0x1B:
                if let end = colourEnd(message, index) ?? linkEnd(message, index) {
                    index = end
                    continue
                }
                plain.append(byte)
            default:
                plain.append(byte)
            }
            index += 1
        }
        reach(message.count, plain.count)
    }

    /// The index after a colour sequence, `ESC [ digits and ; m`.
    private static func colourEnd(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "[") else { return nil }
        var index = start + 2
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "m") { return index + 1 }
            guard (0x30...0x39).contains(byte) || byte == UInt8(ascii: ";") else { return nil }
            index += 1
        }
        return nil
    }

    /// The index after an operating system command, such as a link: `ESC ] printable BEL`.
    private static func linkEnd(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "]") else { return nil }
        var index = start + 2
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x07 { return index + 1 }
            guard (0x20...0x7E).contains(byte) else { return nil }
            index += 1
        }
        return nil
    }
}
