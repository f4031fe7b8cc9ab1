@testable import Filter
import TestSupport

/// Generates expressions that are nearly right, and records to evaluate them on.
struct Fuzzer {
    var random: SeededGenerator

    private static let seeds = [
        "priority <= err && unit == \"nginx.service\" && message =~ \"time.?out\"",
        "has(record.unit) ? pid in [1, 0x2, -3] : !(load * 2.5e-3 > 1.0 || seqnum % 7u == 0u)",
        "message.matches(r'^a\\d+') or not message.startsWith('\\u00e9\\x41\\101') and size(b'\\xff') == 1",
        "time - duration('1h30m') > timestamp('2024-02-29T12:30:00Z') // comment\n && '''x\ny''' != \"\"\"z\"\"\"",
        "int(string(-5)) + [1, 2][0] == -4 && type(1) == int && null == kernel",
        "{'a': [1].map(x, x)}.`a-b` == Foo{b: 1}.?c[?0] ? .x : y.z.all(e, e > 0)",
        "{?'a': optional.of(pid), 'b': {1: 2u}}.transformMap(k, v, size(k) > 0, v).?a.orValue(3) == 1",
        "[1, 2, 3].filter(x, x > 1).map(y, cel.bind(z, y * y, [z, z])).exists_one(w, w[0] == 4)",
        "message.split(',', 3).transformList(i, s, s.trim() + string(i)).join('-').reverse().upperAscii() != ''",
        "'%s|%d|%.3f|%x'.format([message, pid, load, 'é']).indexOf('|', 1) >= 0 && strings.quote(message) != unit",
        "cidr('10.0.0.0/8').containsIP(ip('10.1.2.3')) && ip('::1').isLoopback() && isIP(message)",
        "time.getHours('Europe/Berlin') < 24 && time.getDayOfYear('-02:30') >= 0 && age > duration('-1w')",
        "math.greatest(pid, 1.5, 2u) > math.abs(-3) && math.bitShiftLeft(1, pid) != 0 && math.round(load) == 2.0",
        "optional.none().or(optional.of(1)).optMap(v, v + 1).optFlatMap(v, optional.ofNonZeroValue(v)).hasValue()",
        "fields('message').exists(i, m, m != '' && i < 3) && PRIORITY.a.b[0] == 1 && has(PRIORITY.c) && JSON == [1]",
        "base64.decode(base64.encode(b'a\\x00')) == b'a' || 'x'.replace('', message, 2).charAt(1) == 'y'",
    ]

    private static let pieces = [
        "(", ")", "[", "]", "{", "}", "\"", "'", "\\", "=~", "!~", "&&", "||", "not ", "and", "-", "!", ".", ",", ":",
        "?", "//", "\n", "0x", "1e", "9223372036854775808", "r'", "b\"", "'''", "`", "\u{0}", "é", "日", "🐱", "\u{301}",
        "\t", "\u{202E}", "in", "=", "&", "priority", "message", "(?P<", "[a-", "{2,1}", "\\x", "\\u12", "1.", ".5",
        "u",
        "timestamp(", "duration(", "matches(", ".?", "[?", ".map(x, ", ".all(k, v, ", "optional.of(", "cel.bind(q, ",
        "math.least(", "x", "now", "age", "PRIORITY", "JSON", "fields('message')", ".orValue(", "'%s'.format([", "dyn(",
    ]

    mutating func expression(_ round: Int) -> String {
        switch round % 6 {
        case 0: return noise()
        case 1: return jumble()
        case 2:
            var grown = RandomExpressions(random: random)
            let expression = grown.expression(Int.random(in: 1...4, using: &random))
            random = grown.random
            return ExpressionPrinter.print(expression)
        default: return mutated()
        }
    }

    private mutating func mutated() -> String {
        var scalars = Array(random.pick(Self.seeds).unicodeScalars)
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let place = Int.random(in: 0...scalars.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: scalars.insert(contentsOf: random.pick(Self.pieces).unicodeScalars, at: place)
            case 1: scalars.removeSubrange(place..<min(scalars.count, place + Int.random(in: 0...6, using: &random)))
            case 2: scalars = Array(scalars[..<place])
            case 3:
                scalars =
                    Array("(".unicodeScalars) + scalars
                    + Array(") \(random.pick(["&&", "==", "||", "+"])) (\(random.pick(Self.seeds)))".unicodeScalars)
            case 4:
                // Replaces a number by another.
                guard let digit = scalars.indices.first(where: { $0 >= place && ("0"..."9").contains(scalars[$0]) })
                else { break }
                scalars.replaceSubrange(
                    digit...digit,
                    with: random.pick(["-1", "0", "9223372036854775807", "1e308", "3u", "2.5"]).unicodeScalars
                )
            default:
                let other = Array(random.pick(Self.seeds).unicodeScalars)
                scalars.replaceSubrange(place..., with: other[Int.random(in: 0..<other.count, using: &random)...])
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private mutating func noise() -> String {
        String(decoding: bytes(40), as: UTF8.self)
    }

    private mutating func bytes(_ maxLength: Int) -> [UInt8] {
        (0..<Int.random(in: 0...maxLength, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private mutating func jumble() -> String {
        (0..<Int.random(in: 1...12, using: &random)).map { _ in random.pick(Self.pieces) }.joined()
    }

    /// Fields that are present or not, of the declared type or another, with text that need not be UTF-8.
    mutating func record() -> SampleRecord {
        var fields: [Int: SampleRecord.Field] = [:]
        for id in [0, 1, 2, 3, 4, 5, 6, 7, 8, 104, 108] where Int.random(in: 0..<4, using: &random) > 0 {
            fields[id] = field(2)
        }
        fields[0] = Bool.random(using: &random) ? .text(Array("a1 time-out,é".utf8) + [0xFF]) : field(0)
        return SampleRecord(fields, more: Bool.random(using: &random) ? [0: [field(1), field(0)]] : [:])
    }

    private mutating func field(_ depth: Int) -> SampleRecord.Field {
        switch Int.random(in: 0..<(depth > 0 ? 13 : 10), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2, 3: return .int(random.pick([0, 1, 2, 3, -1, .min, .max]))
        case 4: return .uint(random.pick([0, 1, .max]))
        case 5: return .double(random.pick([0, -0.0, 1.5, .nan, .infinity, 1e300]))
        case 6: return .text(bytes(12))
        case 7: return .microseconds(random.pick([0, 1_700_000_000_000_000, -62_135_596_800_000_000, .max, .min]))
        case 8: return .duration(random.pick([0, 1, -1, .max, .min]))
        case 9: return .bytes(bytes(8))
        case 10: return .list((0..<Int.random(in: 0...3, using: &random)).map { _ in field(depth - 1) })
        case 11:
            let keys: [SampleRecord.Field] = [
                .text(Array("a".utf8)), .text(Array("b".utf8)), .int(1), .bool(true), .uint(1),
            ]
            return .map(
                (0..<Int.random(in: 0...3, using: &random)).flatMap { _ in [random.pick(keys), field(depth - 1)] }
            )
        default:
            let text = random.pick([
                "{\"a\": {\"b\": [1, 2.5]}, \"c\": null}", "[1, \"\\u00e9\\ud83d\\ude00\"]", "1e5", "tru",
                "\"\\ud800x\"",
            ])
            return .json(String(text.dropLast(Int.random(in: 0..<3, using: &random) == 0 ? 1 : 0)))
        }
    }
}
