import Filter

/// Entries named as journalctl's arguments name them: `FIELD=value`, where values of one field are alternatives, different fields must all
/// match, and `+` separates alternatives. A path stands for the program, script or device there.
///
/// ```swift
/// import JournalBridge
///
/// var choice = EntryChoice()
/// choice.matches = try JournalMatches(["_SYSTEMD_UNIT=nginx.service", "PRIORITY=3", "+", "/usr/sbin/sshd"])
/// ```
public struct JournalMatches: Sendable, Hashable {
    /// The condition in the filter language.
    public let expression: String

    /// Whether a word is one of these and not a filter: `_PID=1`, but not `_PID==1` and not `MESSAGE=~"x"`.
    private static func isOne(_ argument: String) -> Bool {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return false }
        let isName = argument[..<equals].utf8.allSatisfy {
            (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
        }
        let next = argument[argument.index(after: equals)...].first
        return isName && next != "=" && next != "~"
    }

    /// - Parameter arguments: each a match, a path or `+`.
    /// - Returns: nil where there is no match among the words, which may be a filter then. A path among the words of a filter that a shell
    ///   has cut is none.
    /// - Throws: ``JournalMatchError`` when other words are among them, when `+` stands at an end, when a field cannot be searched by,
    ///   or when a path leads to nothing that has entries. Paths are looked up.
    public init?(_ arguments: [String]) throws(JournalMatchError) {
        let isAny = arguments.contains(where: Self.isOne) || arguments.first { $0 != "+" }.map(PathMatch.isOne) == true
        guard isAny else { return nil }
        if let other = arguments.first(where: { !Self.isOne($0) && !PathMatch.isOne($0) && $0 != "+" }) {
            throw JournalMatchError(
                "'\(other)' stands beside FIELD=value or a path. Write all of it as one filter, as in "
                    + "'_PID == 1 && priority <= err'."
            )
        }
        let groups = arguments.split(separator: "+", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty }) else {
            throw JournalMatchError("'+' stands between two FIELD=value, and means that either will do.")
        }
        let schema = JournalSchema()
        var alternatives: [String] = []
        for group in groups {
            var matches: [String] = []
            for word in group { matches += PathMatch.isOne(word) ? try PathMatch.matches(for: word) : [word] }
            alternatives.append(try Self.group(matches, schema))
        }
        expression = alternatives.joined(separator: " || ")
    }

    private static func group(_ arguments: [String], _ schema: JournalSchema) throws(JournalMatchError) -> String {
        var names: [String] = []
        var values: [String: [String]] = [:]
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if values[parts[0]] == nil { names.append(parts[0]) }
            values[parts[0], default: []].append(parts[1])
        }
        return try names.map { name throws(JournalMatchError) in
            guard !name.hasPrefix("__"), let field = schema.field(named: name) else {
                throw JournalMatchError("'\(name)' is no field by which the journal can be searched.")
            }
            let tests = (values[name] ?? []).map { test(field, name, $0) }
            return "(\(tests.joined(separator: " || ")))"
        }.joined(separator: " && ")
    }

    private static func test(_ field: FieldDefinition, _ name: String, _ value: String) -> String {
        guard field.type == .int else {
            let text = FilterText.quoted(value)
            // journald itself writes a field once, and programs write theirs as often as they like.
            return name.hasPrefix("_") ? "\(name) == \(text)" : "\(text) in fields(\"\(name)\")"
        }
        // A text that is not spelled like a number, or is none of the field's numbers, stays a text.
        guard let number = Int64(value), "\(number)" == value, field.range?.contains(number) ?? true else {
            return "\(name) == dyn(\(FilterText.quoted(value)))"
        }
        return "\(name) == \(number)"
    }
}

/// A mistake in the words, with the correction, for a person to read.
public struct JournalMatchError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// The way to read a file that was written as if it were a filter.
    package static let fileAdvice =
        "The lines of a file are read with --from lines:PATH, a file of a journal with --file PATH."

    init(_ description: String) {
        self.description = description
    }
}
