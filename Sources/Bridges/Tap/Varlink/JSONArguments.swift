import JSONScan

/// The members of a JSON object whose names are known; the others are ignored.
package struct JSONArguments {
    /// The text of each, without blanks around it.
    private var values: [String: [UInt8]] = [:]

    /// Nil when the text is no object, or a name is given twice.
    package init?(_ text: UnsafeRawBufferPointer, named names: [String]) {
        var members = JSONMembers(text)
        while let member = members.next() {
            var isTwice = false
            member.withName { name in
                guard let known = names.first(where: { name.elementsEqual($0.utf8) }) else { return }
                isTwice = values.updateValue(Self.trimmed(member.value), forKey: known) != nil
            }
            if isTwice { return nil }
        }
        guard members.isComplete else { return nil }
    }

    package init?(_ text: [UInt8], named names: [String]) {
        guard let made = text.withUnsafeBytes({ JSONArguments($0, named: names) }) else { return nil }
        self = made
    }

    private static func trimmed(_ value: UnsafeRawBufferPointer) -> [UInt8] {
        var end = value.count
        while end > 0, [0x20, 0x09, 0x0A, 0x0D].contains(value[end - 1]) { end -= 1 }
        return Array(value[..<end])
    }

    /// A member that is not of the requested type.
    package struct WrongType: Error {
        package let name: String
    }

    /// The text of a value as it was sent.
    package func json(_ name: String) -> [UInt8]? { values[name] }

    /// A text; nil where it is missing or null.
    package func text(_ name: String) throws(WrongType) -> String? {
        guard let value = given(name) else { return nil }
        guard let text = Self.text(value) else { throw WrongType(name: name) }
        return text
    }

    /// A whole number; nil where it is missing or null.
    package func number(_ name: String) throws(WrongType) -> Int? {
        guard let value = given(name) else { return nil }
        guard value.count <= 20, value.withUnsafeBytes(JSONNumber.isOne), let number = Int(Self.plain(value)) else {
            throw WrongType(name: name)
        }
        return number
    }

    /// True or false; false where it is missing or null.
    func flag(_ name: String) throws(WrongType) -> Bool {
        switch given(name).map(Self.plain) {
        case nil, "false": return false
        case "true": return true
        default: throw WrongType(name: name)
        }
    }

    /// An object's text; nil where it is missing or null.
    func object(_ name: String) throws(WrongType) -> [UInt8]? {
        guard let value = given(name) else { return nil }
        guard value.first == UInt8(ascii: "{"), value.last == UInt8(ascii: "}") else { throw WrongType(name: name) }
        return value
    }

    private func given(_ name: String) -> [UInt8]? {
        guard let value = values[name], !value.elementsEqual("null".utf8) else { return nil }
        return value
    }

    private static func plain(_ value: [UInt8]) -> String { String(decoding: value, as: UTF8.self) }

    /// The content of a JSON text; nil for any other value.
    static func text(_ value: [UInt8]) -> String? {
        guard value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") else { return nil }
        let inside = value[1..<value.count - 1]
        // A text ends at the first quotation mark that has no backslash of its own before it.
        var isEscaped = false
        for byte in inside {
            if byte < 0x20 { return nil }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                return nil
            }
        }
        if isEscaped { return nil }
        return inside.withUnsafeBytes(JSONEscapes.removed).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
