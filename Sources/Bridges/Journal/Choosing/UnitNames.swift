import Glibc

/// Names of units, and patterns for them, as people write them.
package enum UnitNames {
    private static let types = [
        ".service", ".socket", ".target", ".device", ".mount", ".automount", ".swap", ".timer", ".path", ".slice",
        ".scope",
    ]

    /// The condition of `journalctl --unit`, for any of these.
    package static func system(_ typed: [String]) -> String {
        let coredump = FilterText.quoted("fc2e22bc6ee647b6b90729ab34a250b1")
        let names = plain(typed).map { "unit == \(FilterText.quoted($0))" }
        let matches = patterns(typed).flatMap { pattern in
            let test = "=~ \(FilterText.quoted(pattern))"
            return [
                "_SYSTEMD_UNIT \(test)", "_PID == 1 && UNIT \(test)", "_UID == 0 && OBJECT_SYSTEMD_UNIT \(test)",
                "_UID == 0 && MESSAGE_ID == \(coredump) && COREDUMP_UNIT \(test)", slice("_SYSTEMD_SLICE", test),
            ]
        }
        return (names + matches).joined(separator: " || ")
    }

    /// The condition of `journalctl --user-unit`, for any of these: for units of the user who asks.
    package static func user(_ typed: [String]) -> String {
        let isMine = "_UID == \(getuid())"
        let names = plain(typed).map { "== \(FilterText.quoted($0))" }
        let matches = patterns(typed).map { "=~ \(FilterText.quoted($0))" }
        let units = (names + matches).flatMap { test in
            [
                "\(isMine) && _SYSTEMD_USER_UNIT \(test)", "\(isMine) && USER_UNIT \(test)",
                "\(isMine) && COREDUMP_USER_UNIT \(test)", "_UID == 0 && OBJECT_SYSTEMD_USER_UNIT \(test)",
            ]
        }
        let slices = plain(typed).filter { $0.hasSuffix(".slice") }.map { "== \(FilterText.quoted($0))" } + matches
        return (units + slices.map { "\(isMine) && \(slice("_SYSTEMD_USER_SLICE", $0))" }).joined(separator: " || ")
    }

    /// A slice is a unit, to which all in it belongs. Its field may hold another name, which journalctl leaves out.
    private static func slice(_ field: String, _ test: String) -> String {
        "\(field) \(test) && \(field).endsWith(\".slice\")"
    }

    private static func plain(_ typed: [String]) -> [String] { typed.filter { !isPattern($0) }.map(name) }

    /// One regular expression for all patterns, because a filter can have only a limited number.
    private static func patterns(_ typed: [String]) -> [String] {
        let patterns = typed.filter(isPattern).map(pattern)
        if patterns.count <= 1 { return patterns.map { "^\($0)$" } }
        return ["^(?:\(patterns.joined(separator: "|")))$"]
    }

    /// A service, where no type of unit is named; for a path its device or mount point.
    package static func name(_ typed: String) -> String {
        guard typed.hasPrefix("/") else {
            let name = escaped(typed, keeping: "@:-_.\\")
            return types.contains { name.hasSuffix($0) } ? name : name + ".service"
        }
        let path = typed.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        if path.isEmpty { return "-.mount" }
        let type = typed.hasPrefix("/dev/") || typed.hasPrefix("/sys/") ? ".device" : ".mount"
        let rest = path.first == "." ? path.dropFirst() : path[...]
        return (rest.count < path.count ? "\\x2e" : "") + escaped(rest, keeping: ":_.") + type
    }

    /// Escapes characters that a unit's name cannot have, as systemd-escape does.
    private static func escaped(_ text: some StringProtocol, keeping signs: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "/"): "-"
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: "\(Unicode.Scalar(byte))"
            case _ where signs.utf8.contains(byte): "\(Unicode.Scalar(byte))"
            default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }.joined()
    }

    package static func isPattern(_ name: String) -> Bool { name.contains { "*?[".contains($0) } }

    /// The regular expression for a shell's pattern.
    private static func pattern(_ name: String) -> String {
        var pattern = ""
        var rest = name[...]
        while let character = rest.popFirst() {
            switch character {
            case "*": pattern += ".*"
            case "?": pattern += "."
            case "[":
                guard let (members, behind) = members(rest) else {
                    pattern += "\\["
                    continue
                }
                pattern += members
                rest = behind
            default: pattern += literal(character)
            }
        }
        return pattern
    }

    /// The characters in brackets as a regular expression, and the rest of the text; `nil` where no bracket closes
    /// them.
    ///
    /// - Parameter text: the text after the opening bracket.
    private static func members(_ text: Substring) -> (members: String, rest: Substring)? {
        let isNegated = text.first == "!" || text.first == "^"
        var members = isNegated ? "[^" : "["
        var rest = text.dropFirst(isNegated ? 1 : 0)
        var isFirst = true
        while let character = rest.popFirst() {
            // A bracket in the first place is a member.
            if character == "]", !isFirst { return (members + "]", rest) }
            isFirst = false
            // A class of characters: `[:alpha:]`. An unknown one is refused with the expression.
            let name = rest.dropFirst().prefix { ("a"..."z").contains($0) }
            if character == "[", rest.first == ":", rest[name.endIndex...].hasPrefix(":]") {
                members += "[:\(name):]"
                rest = rest[name.endIndex...].dropFirst(2)
            } else {
                members += character == "-" ? "-" : literal(character)
            }
        }
        return nil
    }

    private static func literal(_ character: Character) -> String {
        character.isLetter || character.isNumber || !character.isASCII ? "\(character)" : "\\\(character)"
    }
}
