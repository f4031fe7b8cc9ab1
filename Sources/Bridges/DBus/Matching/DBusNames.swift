/// The bus's own names, and the rules for names in the D-Bus specification, "Valid Names".
enum DBusNames {
    static let bus = "org.freedesktop.DBus"
    static let path = "/org/freedesktop/DBus"
    static let local = "org.freedesktop.DBus.Local"
    static let properties = "org.freedesktop.DBus.Properties"
    static let introspectable = "org.freedesktop.DBus.Introspectable"

    /// `/`, or elements of letters, digits and `_`, each behind a slash.
    static func isPath(_ text: String) -> Bool {
        guard text != "/" else { return true }
        let elements = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard elements.count > 1, elements[0].isEmpty else { return false }
        return elements.dropFirst().allSatisfy { !$0.isEmpty && $0.allSatisfy(isWord) }
    }

    /// Two elements or more, separated by dots, none of which begins with a digit; 255 bytes at most.
    static func isInterface(_ text: String) -> Bool {
        isDotted(text) { element in isElement(element) }
    }

    /// A well-known name, whose elements may have hyphens, or a unique one, whose elements may also begin with digits.
    static func isBusName(_ text: String) -> Bool {
        if text.hasPrefix(":") {
            return isDotted(String(text.dropFirst())) {
                !$0.isEmpty && $0.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") }
            }
        }
        return isDotted(text) { element in
            guard let first = element.first, !isDigit(first) else { return false }
            return element.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// The name of a method, a signal or a property.
    static func isMember(_ text: String) -> Bool {
        text.utf8.count <= 255 && isElement(text.utf8[...])
    }

    private static func isDotted(_ text: String, _ isGood: (Substring.UTF8View) -> Bool) -> Bool {
        guard text.utf8.count <= 255 else { return false }
        let elements = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return elements.count > 1 && elements.allSatisfy { isGood($0) }
    }

    private static func isElement(_ element: Substring.UTF8View) -> Bool {
        guard let first = element.first, !isDigit(first) else { return false }
        return element.allSatisfy(isWord)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
