/// A constant as the language spells it.
enum LiteralText {
    static func print(_ literal: Literal) -> String {
        switch literal {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .uint(let value): "\(value)u"
        case .double(let value): "\(value)"
        case .string(let content): "\"" + string(content) + "\""
        case .bytes(let content): "b\"" + content.map(byte).joined() + "\""
        }
    }

    private static func string(_ content: [UInt8]) -> String {
        var text = ""
        for scalar in String(decoding: content, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\\", "\"": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value): text += hexadecimal(scalar.value)
            // These control a terminal, or the order of the text around them.
            case _ where scalar.properties.generalCategory == .format: text += "\\U" + padded(scalar.value, 8)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func byte(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""): "\\" + String(Unicode.Scalar(byte))
        case 0x20..<0x7F: String(Unicode.Scalar(byte))
        default: hexadecimal(UInt32(byte))
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        "\\x" + padded(value, 2)
    }

    private static func padded(_ value: UInt32, _ width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
