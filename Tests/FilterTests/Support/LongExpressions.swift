@testable import Filter
import Testing

/// Expressions of about a given length, each kind made to be slow to compile in its own way.
struct LongExpressions: Sendable {
    /// A field for each kind that the compiler treats by itself.
    struct Schema: FieldSchema {
        private let journal = JournalSchema()

        var knownNames: [String] { journal.knownNames + ["tag"] }
        var timeField: String? { journal.timeField }
        var constants: [String: Int64] { journal.constants }

        func field(named name: String) -> FieldDefinition? {
            if name == "tag" {
                return FieldDefinition(id: FieldID(rawValue: 9), name: name, type: .string, hasAlternatives: true)
            }
            // Any name of capital letters and a number, each a field of its own.
            if name.hasPrefix("F"), let number = Int(name.dropFirst()) {
                return FieldDefinition(id: FieldID(rawValue: 1_000 + number), name: name, type: .dynamic)
            }
            return journal.field(named: name)
        }

        func match(_ field: FieldDefinition, equals value: MatchValue) -> Match? {
            if field.name == "tag" || field.name.hasPrefix("F"), case .text(let text) = value {
                return .any([.term(field: field.name, value: text), .term(field: "_\(field.name)", value: text)])
            }
            return journal.match(field, equals: value)
        }
    }

    let name: String
    let isRefused: Bool
    /// - Parameter length: about as many characters as the expression is to have.
    let text: @Sendable (_ length: Int) -> String

    /// What everything else is compared with.
    static let plain = LongExpressions("plain conditions") { chain($0, " && ") { "pid == \($0)" } }

    private init(_ name: String, isRefused: Bool = false, _ text: @escaping @Sendable (_ length: Int) -> String) {
        self.name = name
        self.isRefused = isRefused
        self.text = text
    }

    /// Levels of parentheses with an operator in them. The limit is 250 for both together.
    private static let depth = 115

    private static func chain(_ length: Int, _ joint: String, _ part: (Int) -> String) -> String {
        var text = part(0)
        var number = 1
        while text.utf8.count < length {
            text += joint + part(number)
            number += 1
        }
        return text
    }

    private static func nested(_ levels: Int, _ core: String, _ wrap: (Int, String) -> String) -> String {
        (0..<levels).reduce(core) { wrap($1, $0) }
    }

    /// Nested parts, as many side by side as are needed for the length.
    private static func nests(_ length: Int, _ core: String, _ wrap: (Int, String) -> String) -> String {
        let nest = nested(depth, core, wrap)
        return chain(length, " && ") { _ in nest }
    }

    /// A nest with a core that takes up the rest of the length.
    private static func cored(_ length: Int, _ opening: String, _ closing: String, _ core: (Int) -> String) -> String {
        let rest = max(8, length - depth * (opening.utf8.count + closing.utf8.count))
        return String(repeating: opening, count: depth) + core(rest) + String(repeating: closing, count: depth)
    }

    static let all: [LongExpressions] = [
        LongExpressions("the same condition on either side of ?") {
            nests($0, "priority == 1") { "(\($1) ? priority == 1 : priority == 3)" }
        },
        LongExpressions("different fields on either side of ?") {
            nests($0, "tag == '0'") { "(\($1) ? F\($0) == 'a' : tag == '\($0)')" }
        },
        LongExpressions("the same under !") { nests($0, "tag == '0'") { "!(\($1) ? F\($0) == 'a' : tag != '\($0)')" } },
        LongExpressions("a ? in each part") {
            nests($0, "tag == '0'") { "(tag == 'x' ? \($1) : F\($0) == 'y')" }
        },
        LongExpressions("texts joined by &&") { chain($0, " && ") { "tag == \"\($0)\"" } },
        LongExpressions("texts joined by ||") { chain($0, " || ") { "tag == \"\($0)\"" } },
        LongExpressions("units joined by ||") { chain($0, " || ") { "unit == \"\($0)\"" } },
        LongExpressions("fields joined by &&") { chain($0, " && ") { "F\($0) == 'a'" } },
        LongExpressions("fields joined by ||") { chain($0, " || ") { "F\($0) == 'a'" } },
        LongExpressions("members of fields") { chain($0, " || ") { "F\($0).a == 'a'" } },
        LongExpressions("&& in || in &&") { nests($0, "pid == 1") { "(F\($0) == 'a' && (tag == '\($0)' || \($1)))" } },
        LongExpressions("many conditions, deep") {
            cored($0, "(tag == 'a' || F1 == 'b' && ", ")") { chain($0, " && ") { "(F\($0) == 'a' || tag == '\($0)')" } }
        },
        LongExpressions("many values, deep") {
            cored($0, "(pid == 1 || ", ")") { "pid in [\(chain($0, ", ") { "\($0)" })]" }
        },
        LongExpressions("lists in lists") { cored($0, "[", "]") { chain($0, ", ") { "\($0)" } } + " == []" },
        LongExpressions("lists in lists side by side") { length in
            "[" + chain(length, ", ") { _ in nested(2 * depth, "1") { "[\($1)]" } } + "] == []"
        },
        LongExpressions("maps in maps") {
            cored($0, "{1: ", "}") { "{" + chain($0, ", ") { "\($0): 1" } + "}" } + " == {}"
        },
        LongExpressions("lists in maps") {
            cored($0, "{1: ", "}") { "[" + chain($0, ", ") { "\($0)" } + "]" } + " == {}"
        },
        LongExpressions("one deep type many times") { length in
            let value = nested(2 * depth, "pid") { "[\($1)]" }
            return "cel.bind(x, \(value), [\(chain(length, ", ") { _ in "x" })] == [])"
        },
        LongExpressions("combining marks under ==") {
            cored($0, "(", " == true)") { "message == 'e\(String(repeating: "\u{301}", count: $0 / 2))'" }
        },
        LongExpressions("combining marks under +") {
            cored($0, "(", " + '')") { "'e\(String(repeating: "\u{301}", count: $0 / 2))'" } + " == ''"
        },
        LongExpressions("a long text under timestamp()") {
            cored($0, "timestamp(", ")") { "string('\(String(repeating: "1", count: $0))')" } + " == time"
        },
        LongExpressions("members of members") {
            let path = "FOO" + String(repeating: ".a", count: 2 * depth)
            return chain($0, " && ") { _ in path }
        },
        LongExpressions("members of a call") {
            let path = "dyn(pid)" + String(repeating: ".a", count: 2 * depth)
            return chain($0, " && ") { _ in path }
        },
        LongExpressions("calls of members") {
            let path = "message" + String(repeating: ".trim()", count: 2 * depth)
            return chain($0, " && ") { _ in path + " == ''" }
        },
        LongExpressions("functions of a namespace") { chain($0, " && ") { _ in "math.abs(pid) > 1" } },
        LongExpressions("variables in variables") { length in
            nested(100, "[" + chain(length, ", ") { "v\($0 % 100)" } + "] == []") { level, text in
                "cel.bind(v\(99 - level), pid, \(text))"
            }
        },
        LongExpressions("warnings") { chain($0, " || ") { "unit == '*\($0)*'" } },
        LongExpressions("warnings about a wide line") {
            chain($0, " || ") { _ in "unit == '*e\u{301}\u{301}\u{301}\u{301}\u{301}*'" }
        },
        LongExpressions("a mistake at the end", isRefused: true) {
            chain($0, " && ") { "pid == \($0)" } + " && unti == 3"
        },
        LongExpressions("a mistake at the end of a nest", isRefused: true) {
            cored($0, "(", " == true)") { chain($0, " && ") { "pid == \($0)" } + " && unti == 3" }
        },
        LongExpressions("a long unknown name", isRefused: true) { String(repeating: "x", count: $0) + " == 3" },
        LongExpressions("a wrong character at the end", isRefused: true) {
            chain($0, " && ") { "pid == \($0)" } + " $"
        },
        LongExpressions("a bracket that is never closed", isRefused: true) { chain($0, " && ") { "(pid == \($0)" } },
        LongExpressions("slashes", isRefused: true) { chain($0, " ") { _ in "/x" } },
        LongExpressions("stars", isRefused: true) { "message == " + String(repeating: "*x", count: $0 / 2) },
        LongExpressions("comments") { chain($0, "\n") { _ in "// a" } + "\ntrue" },
        LongExpressions("signs") { "pid == " + String(repeating: "-", count: $0) + "1" },
        LongExpressions("negations") { String(repeating: "!", count: $0) + "true" },
        LongExpressions("sums") { chain($0, " || ") { _ in nested(depth, "pid") { "\($1) + 1" } + " > 1" } },
        LongExpressions("a pattern") { "message =~ '\(String(repeating: "x", count: min($0, 9_000)))'" },
        LongExpressions("patterns") { length in
            (0..<100).map { "message =~ '\(String(repeating: "x", count: min(90, length / 110)))\($0)'" }
                .joined(separator: " || ")
        },
        LongExpressions("macros") {
            chain($0, " || ") { _ in "[1].all(a, [a].exists(b, [b].map(c, c + a) == [b]))" }
        },
        LongExpressions("formats") { chain($0, " || ") { _ in "'%s %d'.format([message, pid]) == ''" } },
    ]
}

extension LongExpressions: CustomTestStringConvertible {
    var testDescription: String { name }
}
