extension PlainMessage {
    /// A message with marked parts; for a terminal, control characters are made visible, too.
    static func append(
        _ message: UnsafeRawBufferPointer,
        marking parts: [Range<Int>],
        _ look: MarkLook,
        indent: Int,
        isForTerminal: Bool,
        to output: inout OutputBuffer
    ) {
        var moved = MovedParts(parts)
        var plain: [UInt8] = []
        plain.reserveCapacity(message.count + 16)
        strip(message, into: &plain) { moved.reach($0, madeInto: $1) }
        plain.withUnsafeBytes {
            append(
                lines: $0,
                marking: moved.parts,
                look,
                indent: indent,
                keepsControls: isForTerminal,
                isForTerminal: isForTerminal,
                to: &output
            )
        }
    }

    /// The same without another change.
    static func append(
        lines message: UnsafeRawBufferPointer,
        marking parts: [Range<Int>],
        _ look: MarkLook,
        indent: Int,
        keepsControls: Bool,
        isForTerminal: Bool,
        to output: inout OutputBuffer
    ) {
        var marked = MarkedText(message, parts, as: isForTerminal ? .visible : .asItIs, look)
        append(lines: message, indent: indent, keepsControls: keepsControls, to: &output) { line, output in
            marked.append(line, to: &output)
        }
    }
}
