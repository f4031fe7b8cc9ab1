import Glibc

/// The value of `--unit` and `--user-unit`.
enum UnitChoice {
    private static let types = [
        ".service", ".socket", ".target", ".device", ".mount", ".automount", ".swap", ".timer", ".path", ".slice",
        ".scope",
    ]

    /// What `journalctl --unit` selects.
    static func system(_ typed: String) -> String {
        let name = name(typed)
        guard let pattern = pattern(name) else { return "unit == \(FilterText.quoted(name))" }
        let test = { (field: String) in "\(field) =~ \(FilterText.quoted(pattern))" }
        let coredump = FilterText.quoted("fc2e22bc6ee647b6b90729ab34a250b1")
        return [
            test("_SYSTEMD_UNIT"), "_PID == 1 && \(test("UNIT"))", "_UID == 0 && \(test("OBJECT_SYSTEMD_UNIT"))",
            "_UID == 0 && MESSAGE_ID == \(coredump) && \(test("COREDUMP_UNIT"))",
        ].joined(separator: " || ")
    }

    /// What `journalctl --user-unit` selects: of units of the user who asks.
    static func user(_ typed: String) -> String {
        let name = name(typed)
        let quoted = FilterText.quoted(pattern(name) ?? name)
        let test = { [isPattern = pattern(name) != nil] (field: String) in
            "\(field) \(isPattern ? "=~" : "==") \(quoted)"
        }
        let isMine = "_UID == \(getuid())"
        return [
            "\(isMine) && \(test("_SYSTEMD_USER_UNIT"))", "\(isMine) && \(test("USER_UNIT"))",
            "\(isMine) && \(test("COREDUMP_USER_UNIT"))", "_UID == 0 && \(test("OBJECT_SYSTEMD_USER_UNIT"))",
        ].joined(separator: " || ")
    }

    /// A service, where no type of unit is named.
    private static func name(_ typed: String) -> String {
        isPattern(typed) || types.contains { typed.hasSuffix($0) } ? typed : typed + ".service"
    }

    private static func isPattern(_ name: String) -> Bool { name.contains { "*?[".contains($0) } }

    /// The regular expression for a shell's pattern; `nil` for a plain name.
    private static func pattern(_ name: String) -> String? {
        guard isPattern(name) else { return nil }
        var pattern = "^"
        var rest = name[...]
        while let character = rest.popFirst() {
            switch character {
            case "*": pattern += ".*"
            case "?": pattern += "."
            case "[":
                guard let end = rest.dropFirst().firstIndex(of: "]") else {
                    pattern += "\\["
                    continue
                }
                let isNegated = rest.first == "!" || rest.first == "^"
                let members = rest[..<end].dropFirst(isNegated ? 1 : 0)
                pattern += (isNegated ? "[^" : "[") + members.map { $0 == "-" ? "-" : literal($0) }.joined() + "]"
                rest = rest[rest.index(after: end)...]
            default: pattern += literal(character)
            }
        }
        return pattern + "$"
    }

    private static func literal(_ character: Character) -> String {
        character.isLetter || character.isNumber || !character.isASCII ? "\(character)" : "\\\(character)"
    }
}
