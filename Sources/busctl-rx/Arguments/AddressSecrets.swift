/// User names, passwords and tokens in addresses that are shown to a person: `nats://USER:PASSWORD@HOST`.
enum AddressSecrets {
    /// The same text, with `…` in place of all that stands between `://` and the last `@` of the same word.
    static func hidden(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var result = ""
        var rest = text[...]
        while let scheme = rest.firstRange(of: "://") {
            result += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            guard let at = rest.prefix(while: { !$0.isWhitespace }).lastIndex(of: "@") else { continue }
            result += "…"
            rest = rest[at...]
        }
        return result + rest
    }

    /// The same for the value of one option. Where a password has a space in it by mistake, all of it is hidden.
    static func hidden(inValue value: String) -> String {
        guard let scheme = value.firstRange(of: "://"), let at = value[scheme.upperBound...].lastIndex(of: "@") else {
            return value
        }
        return "\(value[..<scheme.upperBound])…\(value[at...])"
    }
}
