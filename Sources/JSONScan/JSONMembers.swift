/// Goes through the members of a JSON object without reading their values.
package struct JSONMembers {
    package struct Member {
        /// Between the quotes, escapes and all.
        package let name: UnsafeRawBufferPointer
        /// Without the blanks around it.
        package let value: UnsafeRawBufferPointer

        /// Whether it has a name, which was written without escapes.
        package func isNamed(_ name: StaticString) -> Bool {
            name.utf8CodeUnitCount == self.name.count
                && name.withUTF8Buffer { $0.elementsEqual(self.name) }
        }

        /// The name without its escapes; `body` is not called if an escape is invalid.
        package func withName(_ body: (UnsafeRawBufferPointer) -> Void) {
            guard name.contains(UInt8(ascii: "\\")) else { return body(name) }
            JSONEscapes.removed(from: name)?.withUnsafeBytes(body)
        }
    }

    private let text: UnsafeRawBufferPointer
    private var position = 0
    private var isFirst = true

    package init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    /// `nil` after the last member, and where the text is no longer a valid object.
    package mutating func next() -> Member? {
        let before = self
        if let member = member() { return member }
        self = before
        return nil
    }

    private mutating func member() -> Member? {
        skipBlanks()
        guard take(isFirst ? "{" : ",") else { return nil }
        isFirst = false
        skipBlanks()
        guard let name = skipText() else { return nil }
        skipBlanks()
        guard take(":"), let value = value() else { return nil }
        return Member(name: name, value: value)
    }

    /// The element of a list, counted from zero, without the blanks around it; `nil` for anything but a list, and where
    /// the list ends before it.
    package static func element(_ index: Int, of list: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var scan = JSONMembers(list)
        scan.skipBlanks()
        guard scan.take("[") else { return nil }
        var rest = index
        while true {
            guard let value = scan.value() else { return nil }
            if rest == 0 { return value }
            rest -= 1
            guard scan.take(",") else { return nil }
        }
    }

    /// Whether the text is an object and nothing else, and all its members were returned.
    package var isComplete: Bool {
        var rest = self
        rest.skipBlanks()
        if rest.isFirst {
            guard rest.take("{") else { return false }
            rest.skipBlanks()
        }
        guard rest.take("}") else { return false }
        rest.skipBlanks()
        return rest.position == rest.text.count
    }

    private mutating func take(_ symbol: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: symbol) else { return false }
        position += 1
        return true
    }

    /// Whether a value, which is JSON, has more than `limit` objects and lists within each other.
    package static func isNested(_ value: UnsafeRawBufferPointer, deeperThan limit: Int) -> Bool {
        // Each is closed again.
        guard value.count > 2 * limit else { return false }
        var (scan, depth) = (JSONMembers(value), 0)
        while scan.position < value.count {
            switch value[scan.position] {
            case UInt8(ascii: "\""):
                guard scan.skipText() != nil else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > limit { return true }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            scan.position += 1
        }
        return false
    }

    private mutating func skipBlanks() {
        while position < text.count, Self.isBlank(text[position]) { position += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }

    private mutating func skipText() -> UnsafeRawBufferPointer? {
        guard take("\"") else { return nil }
        let start = position
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                position += 1
                return UnsafeRawBufferPointer(rebasing: text[start..<position - 1])
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return nil
    }

    /// The value up to the comma or bracket after it, without the blanks around it.
    private mutating func value() -> UnsafeRawBufferPointer? {
        skipBlanks()
        let start = position
        guard skipValue() else { return nil }
        var end = position
        // It has at least one byte, and its first one is no blank.
        while Self.isBlank(text[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    /// Skips to the comma or bracket after the value; the value itself is checked when it is read.
    private mutating func skipValue() -> Bool {
        let start = position
        var depth = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                guard skipText() != nil else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return position > start }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return position > start
            default: break
            }
            position += 1
        }
        return false
    }
}
