/// The kinds of names that the D-Bus specification has, under "Valid Names" and "Valid Object Paths".
enum DBusNameSyntax: String {
    case busName = "name on a bus"
    case interface
    case member
    case path = "object path"
    /// A well-known name or an interface, or the beginning of one.
    case namespace

    var example: String {
        switch self {
        case .busName: "org.example.Name or :1.42"
        case .interface: "org.example.Interface"
        case .member: "PropertiesChanged"
        case .path: "/org/example/Object"
        case .namespace: "org.example"
        }
    }

    private static let longest = 255

    func allows(_ text: String) -> Bool {
        guard self == .path || text.utf8.count <= Self.longest else { return false }
        switch self {
        case .busName:
            return text.hasPrefix(":")
                ? Self.isJoined(text.dropFirst(), atLeast: 2, hyphens: true, leadingDigits: true)
                : Self.isJoined(text[...], atLeast: 2, hyphens: true)
        case .interface: return Self.isJoined(text[...], atLeast: 2)
        case .member: return Self.isJoined(text[...], atLeast: 1) && !text.contains(".")
        case .namespace: return Self.isJoined(text[...], atLeast: 1, hyphens: true)
        case .path:
            return text == "/"
                || text.hasPrefix("/") && Self.isJoined(text.dropFirst(), by: "/", atLeast: 1, leadingDigits: true)
        }
    }

    /// Whether it is made of so many elements of letters, digits and `_`.
    private static func isJoined(
        _ text: Substring,
        by separator: Character = ".",
        atLeast least: Int,
        hyphens: Bool = false,
        leadingDigits: Bool = false
    ) -> Bool {
        let elements = text.split(separator: separator, omittingEmptySubsequences: false)
        return elements.count >= least
            && elements.allSatisfy { element in
                guard let first = element.utf8.first, leadingDigits || !isDigit(first) else { return false }
                return element.utf8.allSatisfy { isDigit($0) || isLetter($0) || hyphens && $0 == UInt8(ascii: "-") }
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80 || byte == UInt8(ascii: "_")
    }
}
