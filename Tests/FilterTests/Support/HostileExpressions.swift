@testable import Filter
import TestSupport

/// Valid expressions that are meant to take long. Nearly all parts of them examine texts as long as those of a record.
struct HostileExpressions {
    var random: SeededGenerator

    /// Texts with a long common prefix or many parts, and very long numbers, times and patterns. Fields without a name
    /// are identified by the length of theirs, from `A` to `HHHHHHHH`.
    static func record(_ length: Int) -> SampleRecord {
        func text(_ part: String, _ end: String = "") -> SampleRecord.Field {
            .text(Array((String(repeating: part, count: length / part.utf8.count) + end).utf8))
        }
        return SampleRecord(
            [
                0: text("a"), 2: .text(Array("(?:a?){150}c".utf8)), 3: .int(7), 4: .microseconds(1_700_000_000_000_000),
                6: .double(1e300), 8: text("a", "b"), 101: text("1h"), 102: text("\u{2003}"), 103: text("a,"),
                104: .text(Array(("2024-02-29T12:30:00." + String(repeating: "1", count: length) + "Z").utf8)),
                105: .json("{" + (0..<length / 12).map { "\"key\($0)\": \($0)" }.joined(separator: ",") + "}"),
                106: .bytes(Array(repeating: 0x61, count: length)), 107: text(":"), 108: text("é"),
            ],
            more: [0: Array(repeating: text("a", "c"), count: 8)]
        )
    }

    /// Expressions that once cost less than they took, one by one.
    static let known = [
        "message < identifier", "message == identifier", "message in [identifier, message + '', 'x']",
        "message.contains(identifier)", "message.startsWith(message)", "size(HHHHHHHH) > 3",
        "['', '', '', ''].join(message) == ''", "[message, identifier].join('') == ''", "message.matches(unit)",
        "message =~ r'(?:a?){1000}c'", "message =~ '(x+x+)+y'", "HHHHHHHH =~ r'\\pL{8}\\d'",
        "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].exists(x, message.matches('a{' + string(x) + '}b'))",
        "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].exists(x, time.getHours('Nowhere/' + string(x)) == 1)",
        "time.getHours(GGGGGGG) == 1", "timestamp(DDDD) > timestamp(0)", "duration(A) > duration('1s')",
        "string(FFFFFF) == ''", "double(message) > 1.0", "isIP(GGGGGGG)", "cidr('10.0.0.0/8').containsIP(GGGGGGG)",
        "'%.1100f'.format([load]) == ''", "'%x'.format([message]) == ''",
        "'%s'.format([{message: 1, identifier: 2}]) == ''",
        "EEEEE.key1 == 1 && EEEEE.key2 == 3", "EEEEE == EEEEE", "CCC.split(',').size() == 0",
        "CCC.replace(',', '') == ''",
        "message.replace('', 'b') == ''", "message.lastIndexOf(identifier) > 0", "message.indexOf(identifier) > 0",
        "message.reverse() == ''", "BB.trim() == ''", "strings.quote(message) == ''", "message.lowerAscii() == ''",
        "message.substring(3) == ''", "message.charAt(100) == ''", "base64.encode(FFFFFF) == ''",
        "base64.decode(message) == b''",
        "fields('message').exists(x, x == identifier)", "message + message == ''",
        "{message: 1, identifier: 2}[message] == 2",
        "[string(time), string(load), string(duration('1h'))].size() == 2", "math.greatest([load, load]) > 1.0",
        "CCC.split(',').exists(x, x == message)", "CCC.split(',').map(x, x + x).size() > 3",
    ]

    mutating func condition(_ depth: Int) -> String {
        func condition() -> String { self.condition(depth - 1) }
        func text() -> String { self.text(depth - 1) }
        guard depth > 0 else { return random.pick(Self.known) }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return "\(text()) \(random.pick(["<", "<=", "==", "!="])) \(text())"
        case 1: return "\(text()) in [\(text()), \(text())]"
        case 2: return "\(text()).\(random.pick(["contains", "startsWith", "endsWith"]))(\(text()))"
        case 3: return "\(text()).\(random.pick(["indexOf", "lastIndexOf"]))(\(text())) > 0"
        case 4: return "\(text()) =~ '\(random.pick(["time.?out", "(a|b)*c", "[^a]{20}x", "(?i)err|fail", ".*b.*b"]))'"
        case 5: return "size(\(text())) > 3"
        case 6: return "[0, 1, 2, 3, 4, 5, 6, 7].all(x, \(condition()) || true)"
        case 7: return "(\(condition()) || \(condition()))"
        case 8: return "(\(condition()) ? \(condition()) : \(condition()))"
        case 9: return "CCC.split(',', 20).exists(p, p == \(text()))"
        case 10: return "{message + \(text()): 1, identifier + \(text()): 2}.size() > 0"
        default: return random.pick(Self.known)
        }
    }

    private mutating func text(_ depth: Int) -> String {
        func text() -> String { self.text(depth - 1) }
        guard depth > 0 else {
            return random.pick(["message", "identifier", "unit", "string(BB)", "string(CCC)", "''"])
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return "(\(text()) + \(text()))"
        case 1: return "\(text()).\(random.pick(["lowerAscii", "upperAscii", "reverse", "trim"]))()"
        case 2: return "\(text()).replace(\(text()), 'b')"
        case 3: return "strings.quote(\(text()))"
        case 4: return "[\(text()), \(text())].join(\(text()))"
        case 5: return "\(text()).split(',').join(\(text()))"
        case 6: return "'%s %.900f %x'.format([\(text()), load, \(text())])"
        case 7: return "string(bytes(\(text())))"
        case 8: return "base64.encode(bytes(\(text())))"
        case 9: return "\(text()).substring(0)"
        default: return "message"
        }
    }
}
