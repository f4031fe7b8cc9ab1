import JSONScan

/// The elements of a list in JSON, without reading them.
package enum JSONList {
    /// The texts of the elements; if the text is not a valid list to its end, the elements up to that point.
    package static func elements(of list: [UInt8]) -> [[UInt8]] {
        guard list.first == UInt8(ascii: "["), list.last == UInt8(ascii: "]") else { return [] }
        var elements: [[UInt8]] = []
        var depth = 0
        var isText = false
        var isEscaped = false
        var start = 1
        func add(upTo end: Int) {
            let element = list[start..<end]
            if !element.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { elements.append(Array(element)) }
        }
        for position in 1..<list.count - 1 {
            let byte = list[position]
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                add(upTo: position)
                start = position + 1
            default: break
            }
        }
        add(upTo: list.count - 1)
        return elements
    }
}
