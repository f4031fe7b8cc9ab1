/// Lays an object of ``JSONFormat`` out over several lines, as `journalctl -o json-pretty` does.
package enum PrettyJSON {
    /// Rewrites the object that stands in `output` from `start` on.
    package static func layOut(from start: Int, in output: inout OutputBuffer) {
        let object = output.withBytes { Array($0[start...]) }
        output.truncate(to: start)
        var depth = 0
        var isText = false
        var isEscaped = false
        for (index, byte) in object.enumerated() {
            if isText {
                output.append(byte)
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                output.append(byte)
                depth += 1
                if !isClosed(object, index + 1) { indent(depth, &output) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if !isOpened(object, index - 1) { indent(depth, &output) }
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                indent(depth, &output)
            case UInt8(ascii: ":"): output.append(" : ")
            default:
                isText = byte == UInt8(ascii: "\"")
                output.append(byte)
            }
        }
    }

    private static func isClosed(_ object: [UInt8], _ index: Int) -> Bool {
        index < object.count && (object[index] == UInt8(ascii: "}") || object[index] == UInt8(ascii: "]"))
    }

    private static func isOpened(_ object: [UInt8], _ index: Int) -> Bool {
        index >= 0 && (object[index] == UInt8(ascii: "{") || object[index] == UInt8(ascii: "["))
    }

    private static func indent(_ depth: Int, _ output: inout OutputBuffer) {
        output.append("\n")
        for _ in 0..<depth { output.append("\t") }
    }
}
