/// A condition on messages. A property that is nil matches anything; all others must hold.
///
/// ```swift
/// import DBusBridge
///
/// let match = DBusMatch(sender: "org.freedesktop.login1", interface: "org.freedesktop.login1.Manager", member: "PrepareForSleep")
/// print(match.rule)
/// ```
public struct DBusMatch: Sendable, Hashable {
    /// The kind of message. Without monitoring, others than signals hardly come.
    public var kind: DBusMessage.Kind?
    /// The sender. A well-known name means its owner when the message arrives; the connection follows the name.
    public var sender: String?
    /// The path of the object that sends the signal or is called. It excludes `pathNamespace`.
    public var path: String?
    /// The path, or one below it. `/` is every path.
    public var pathNamespace: String?
    /// The interface of the signal or the method.
    public var interface: String?
    /// The name of the signal or the method, without its interface.
    public var member: String?
    /// The receiver's name, as the message spells it. Signals to everybody have none, and do not match.
    public var destination: String?
    /// Arguments, by number from 0 to 63, that are strings and equal to these.
    public var arguments: [Int: String]
    /// Arguments, by number, that are strings or object paths. Each equals the given text, or one of the two ends in
    /// `/` and the other begins with it.
    public var argumentPaths: [Int: String]
    /// The first argument is this name of a bus or an interface, or one below it.
    public var argument0Namespace: String?

    /// A match of signals, unless `kind` says otherwise. An invalid match makes the subscription fail that uses it.
    public init(
        kind: DBusMessage.Kind? = .signal,
        sender: String? = nil,
        path: String? = nil,
        pathNamespace: String? = nil,
        interface: String? = nil,
        member: String? = nil,
        destination: String? = nil,
        arguments: [Int: String] = [:],
        argumentPaths: [Int: String] = [:],
        argument0Namespace: String? = nil
    ) {
        self.kind = kind
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.destination = destination
        self.arguments = arguments
        self.argumentPaths = argumentPaths
        self.argument0Namespace = argument0Namespace
    }

    /// The rule for the bus, in the notation of the D-Bus specification under "Match Rules".
    public var rule: String {
        var parts: [(String, String?)] = [
            ("type", kind.map(Self.word)), ("sender", sender), ("interface", interface), ("member", member),
            ("path", path),
            ("path_namespace", pathNamespace), ("destination", destination),
        ]
        for (number, text) in arguments.sorted(by: { $0.key < $1.key }) { parts.append(("arg\(number)", text)) }
        for (number, text) in argumentPaths.sorted(by: { $0.key < $1.key }) { parts.append(("arg\(number)path", text)) }
        parts.append(("arg0namespace", argument0Namespace))
        return parts.compactMap { key, text in text.map { "\(key)=\(Self.quoted($0))" } }.joined(separator: ",")
    }

    /// The mistake because of which no bus would accept the match, or no message could match; nil for a valid match.
    package var flaw: String? {
        if path != nil, pathNamespace != nil { return "a match has a path or a namespace of paths, not both" }
        if let number = (Array(arguments.keys) + Array(argumentPaths.keys)).first(where: { !(0...63).contains($0) }) {
            return "argument \(number) cannot be matched, only those from 0 to 63"
        }
        let wrong = [
            Self.wrong(sender, "sender", "bus name", DBusNames.isBusName),
            Self.wrong(destination, "destination", "bus name", DBusNames.isBusName),
            Self.wrong(path, "path", "object path", DBusNames.isPath),
            Self.wrong(pathNamespace, "path_namespace", "object path", DBusNames.isPath),
            Self.wrong(interface, "interface", "interface name", DBusNames.isInterface),
            Self.wrong(member, "member", "member name", DBusNames.isMember),
            // A namespace may have a single element.
            Self.wrong(argument0Namespace, "arg0namespace", "bus name") { DBusNames.isBusName($0 + ".x") },
        ]
        if let flaw = wrong.lazy.compactMap({ $0 }).first { return flaw }
        for text in Array(arguments.values) + Array(argumentPaths.values) {
            if text.utf8.contains(0) || text.utf8.count > 64 * 1024 {
                return "an argument to match is longer than 64 KiB or has a zero byte"
            }
        }
        return nil
    }

    private static func wrong(_ text: String?, _ key: String, _ what: String, _ isGood: (String) -> Bool) -> String? {
        guard let text, !isGood(text) else { return nil }
        return "\(key): '\(text.prefix(300))' is no \(what)"
    }

    private static func word(_ kind: DBusMessage.Kind) -> String {
        switch kind {
        case .methodCall: "method_call"
        case .methodReturn: "method_return"
        case .error: "error"
        case .signal: "signal"
        }
    }

    /// In a rule a backslash is literal within apostrophes, and an apostrophe can only be outside of them.
    private static func quoted(_ text: String) -> String {
        var result = "'"
        for character in text.unicodeScalars {
            if character == "'" { result += "'\\''" } else { result.unicodeScalars.append(character) }
        }
        return result + "'"
    }
}

extension DBusMatch {
    /// Whether a message's header matches. `owner` is the owner of the sender's well-known name.
    func meansHeader(of message: DBusMessage, owner: String?) -> Bool {
        if let kind, kind != message.kind { return false }
        if let member, member != message.member { return false }
        if let interface, interface != message.interface { return false }
        if let path, path != message.path { return false }
        if let destination, destination != message.destination { return false }
        if let pathNamespace, !Self.isWithin(pathNamespace, message.path, by: "/") { return false }
        return sender == nil || message.sender == (isSenderFollowed ? owner : sender) && message.sender != nil
    }

    func meansArguments(of message: DBusMessage) -> Bool {
        for (number, text) in arguments {
            guard number < message.arguments.count, case .string(text) = message.arguments[number] else { return false }
        }
        for (number, path) in argumentPaths {
            guard number < message.arguments.count else { return false }
            switch message.arguments[number] {
            case .string(let text), .objectPath(let text):
                guard
                    text == path || path.hasSuffix("/") && text.hasPrefix(path)
                        || text.hasSuffix("/") && path.hasPrefix(text)
                else { return false }
            default: return false
            }
        }
        guard let argument0Namespace else { return true }
        guard case .string(let text)? = message.arguments.first else { return false }
        return Self.isWithin(argument0Namespace, text, by: ".")
    }

    /// Whether the sender is a well-known name that may change hands.
    var isSenderFollowed: Bool {
        guard let sender else { return false }
        return !sender.hasPrefix(":") && sender != DBusNames.bus
    }

    /// The sender's well-known name, if that may change hands.
    var followedSender: String? { isSenderFollowed ? sender : nil }

    private static func isWithin(_ namespace: String, _ text: String?, by separator: String) -> Bool {
        guard let text else { return false }
        return text == namespace || namespace == separator || text.hasPrefix(namespace + separator)
    }
}
