import Filter
import JournalBridge

/// `FIELD=value` as in journalctl: values of one field are alternatives, different fields must all match, and `+`
/// separates alternatives. A path stands for the program, script or device there.
struct FieldMatches {
    let expression: String

    /// Whether an argument is one of these and not the filter: `_PID=1`, but not `_PID==1` and not `MESSAGE=~"x"`.
    static func isOne(_ argument: String) -> Bool {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return false }
        let isName = argument[..<equals].utf8.allSatisfy {
            (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
        }
        let next = argument[argument.index(after: equals)...].first
        return isName && next != "=" && next != "~"
    }

    /// `nil` where there is none among the arguments. A path among the words of a filter that a shell has cut is none.
    init?(_ arguments: [String]) throws {
        let isAny = arguments.contains(where: Self.isOne) || arguments.first { $0 != "+" }.map(PathMatch.isOne) == true
        guard isAny else { return nil }
        if let other = arguments.first(where: { !Self.isOne($0) && !PathMatch.isOne($0) && $0 != "+" }) {
            throw ValidationError(
                "'\(other)' stands beside FIELD=value or a path. Write all of it as one filter, as in "
                    + "'_PID == 1 && priority <= err'."
            )
        }
        let groups = arguments.split(separator: "+", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty }) else {
            throw ValidationError("'+' stands between two FIELD=value, and means that either will do.")
        }
        let schema = JournalSchema()
        expression = try groups.map { group in
            let matches = try group.flatMap { PathMatch.isOne($0) ? try PathMatch.matches(for: $0) : [$0] }
            return try Self.group(matches, schema)
        }.joined(separator: " || ")
    }

    /// Refuses a name that no field of an entry can have.
    ///
    /// - Parameter option: which names it.
    static func require(_ name: String, of option: String) throws {
        let found = JournalSchema().field(named: name)
        guard found?.name != name || name.hasPrefix("__") || name == "unit" || name == "time" else { return }
        let meant = found.flatMap { $0.name == "unit" ? "_SYSTEMD_UNIT" : $0.name == name ? nil : $0.name }
        throw ValidationError(
            "\(option) names '\(name)', but that is not a field that entries have in the journal"
                + (meant.map { ", did you mean '\($0)'?" } ?? ".")
        )
    }

    private static func group(_ arguments: [String], _ schema: JournalSchema) throws -> String {
        var names: [String] = []
        var values: [String: [String]] = [:]
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if values[parts[0]] == nil { names.append(parts[0]) }
            values[parts[0], default: []].append(parts[1])
        }
        return try names.map { name in
            guard !name.hasPrefix("__"), let field = schema.field(named: name) else {
                throw ValidationError("'\(name)' is no field by which the journal can be searched.")
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
