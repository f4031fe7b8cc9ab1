extension DBusMatch {
    /// The match that a rule asks for, in the spelling of the D-Bus specification under "Match Rules", as
    /// `type='signal',interface='org.example.Door',arg0='front'`. Without `type`, messages of any kind match.
    ///
    /// - Throws: a ``DBusRuleError`` with the mistake and its place. A rule that no message could match is refused,
    ///   too.
    public init(rule: String) throws(DBusRuleError) {
        var parser = DBusRuleParser(rule)
        self = try parser.read()
    }
}

/// A mistake in a match rule.
public struct DBusRuleError: Error, Hashable, CustomStringConvertible {
    /// The rule, or its first 300 characters.
    public let rule: String
    /// Where, in bytes from its start.
    public let offset: Int
    /// Why.
    public let reason: String

    public var description: String { "'\(rule)' is no match rule of D-Bus: at byte \(offset), \(reason)" }
}

/// Reads a match rule once.
private struct DBusRuleParser {
    /// No bus takes a longer one.
    private static let maxLength = 1024
    private static let keys =
        "type, sender, interface, member, path, path_namespace, destination, arg0 to arg63, arg0path to arg63path and arg0namespace"

    private let rule: String
    private let bytes: [UInt8]
    private var position = 0
    private var known: Set<String> = []
    private var match = DBusMatch(kind: nil)

    init(_ rule: String) {
        self.rule = rule
        bytes = Array(rule.utf8)
    }

    mutating func read() throws(DBusRuleError) -> DBusMatch {
        guard bytes.count <= Self.maxLength else {
            throw wrong("it is longer than \(Self.maxLength) bytes", at: Self.maxLength)
        }
        if let zero = bytes.firstIndex(of: 0) { throw wrong("a zero byte", at: zero) }
        skipBlanks()
        while position < bytes.count {
            try pair()
            skipBlanks()
        }
        return match
    }

    /// A key, `=`, a value, and the comma behind it.
    private mutating func pair() throws(DBusRuleError) {
        let start = position
        while position < bytes.count, bytes[position].isOfKey { position += 1 }
        let key = String(decoding: bytes[start..<position], as: UTF8.self)
        skipBlanks()
        guard !key.isEmpty else { throw wrong("a key is missing; there are \(Self.keys)", at: start) }
        guard take("=") else { throw wrong("a '=' is missing behind '\(key)'", at: position) }
        let place = position
        let text = try value()
        guard known.insert(key).inserted else { throw wrong("'\(key)' is there twice", at: start) }
        try set(key, text, at: start, place)
    }

    /// Up to the next comma outside of apostrophes. Within them each byte is literal; outside, `\'` is an apostrophe.
    private mutating func value() throws(DBusRuleError) -> String {
        var value: [UInt8] = []
        var quote: Int?
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "'"): quote = quote == nil ? position - 1 : nil
            case UInt8(ascii: ",") where quote == nil: return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\")
            where quote == nil && position < bytes.count && bytes[position] == UInt8(ascii: "'"):
                value.append(bytes[position])
                position += 1
            default: value.append(byte)
            }
        }
        if let quote { throw wrong("the apostrophe is not closed", at: quote) }
        return String(decoding: value, as: UTF8.self)
    }

    // MARK: Meaning

    private mutating func set(_ key: String, _ value: String, at start: Int, _ place: Int) throws(DBusRuleError) {
        switch key {
        case "type": match.kind = try kind(value, at: place)
        case "sender": match.sender = try checked(value, .busName, at: place)
        case "destination": match.destination = try checked(value, .busName, at: place)
        case "interface": match.interface = try checked(value, .interface, at: place)
        case "member": match.member = try checked(value, .member, at: place)
        case "path", "path_namespace":
            guard !known.isSuperset(of: ["path", "path_namespace"]) else {
                throw wrong("a rule has path or path_namespace, not both", at: start)
            }
            let path = try checked(value, .path, at: place)
            if key == "path" { match.path = path } else { match.pathNamespace = path }
        case "arg0namespace": match.argument0Namespace = try checked(value, .namespace, at: place)
        case "eavesdrop": throw wrong("a rule cannot ask to eavesdrop; that is done by monitoring the bus", at: start)
        default: try setArgument(key, value, at: start)
        }
    }

    private mutating func setArgument(_ key: String, _ value: String, at start: Int) throws(DBusRuleError) {
        let isPath = key.hasSuffix("path")
        let digits = key.dropFirst(3).dropLast(isPath ? 4 : 0)
        guard key.hasPrefix("arg"), !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw wrong("'\(key)' is no key; there are \(Self.keys)", at: start)
        }
        guard let number = Int(digits), number <= 63 else {
            throw wrong("arguments can be matched from arg0 to arg63", at: start)
        }
        if isPath { match.argumentPaths[number] = value } else { match.arguments[number] = value }
    }

    private func kind(_ text: String, at place: Int) throws(DBusRuleError) -> DBusMessage.Kind {
        guard let kind = DBusMessage.Kind.allCases.first(where: { $0.word == text }) else {
            throw wrong("'\(text)' is no type; there are signal, method_call, method_return and error", at: place)
        }
        return kind
    }

    private func checked(_ text: String, _ syntax: DBusNameSyntax, at place: Int) throws(DBusRuleError) -> String {
        guard syntax.allows(text) else {
            throw wrong("'\(text)' is no \(syntax.rawValue); one is \(syntax.example), for example", at: place)
        }
        return text
    }

    // MARK: Bytes

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ symbol: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: symbol) else { return false }
        position += 1
        return true
    }

    private func wrong(_ reason: String, at offset: Int) -> DBusRuleError {
        DBusRuleError(rule: String(rule.prefix(300)), offset: offset, reason: reason)
    }
}

extension UInt8 {
    /// Whether keys of rules are made of it.
    fileprivate var isOfKey: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
