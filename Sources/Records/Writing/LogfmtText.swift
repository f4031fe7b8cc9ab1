/// Names and values in logfmt: in quotes where they are not one plain word.
enum LogfmtText {
    static func append(_ value: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
        if !value.isEmpty, value.allSatisfy(isPlain) { return output.append(value) }
        output.append("\"")
        for byte in value {
            switch byte {
            case UInt8(ascii: "\""): output.append("\\\"")
            case UInt8(ascii: "\\"): output.append("\\\\")
            case 0x0A: output.append("\\n")
            case 0x0D: output.append("\\r")
            case 0x09: output.append("\\t")
            default: output.append(byte)
            }
        }
        output.append("\"")
    }

    /// The names of a record's own pairs.
    private static let taken = ["time", "source", "severity", "late", "gap", "lost", "msg"].map { Array($0.utf8) }

    /// Bytes that cannot be part of a name become `_`. The name of one of a record's own pairs is written
    /// `fields.NAME`.
    static func append(name: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
        if taken.contains(where: { name.elementsEqual($0) }) { output.append("fields.") }
        for byte in name { output.append(isPlain(byte) ? byte : UInt8(ascii: "_")) }
        if name.isEmpty { output.append("_") }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case ...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: "\\"): false
        default: true
        }
    }
}
