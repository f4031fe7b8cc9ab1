import Foundation
import Testing

@testable import Filter

/// Nothing that is typed may crash the lexer, parser, checker, evaluator or the rendering of an error.
@Suite struct FuzzTests {
    private static let seeds = [
        "priority <= err && unit == \"nginx.service\" && message =~ \"time.?out\"",
        "has(entry.unit) ? pid in [1, 0x2, -3] : !(load * 2.5e-3 > 1.0 || seqnum % 7u == 0u)",
        "message.matches(r'^a\\d+') or not message.startsWith('\\u00e9\\x41\\101') and size(b'\\xff') == 1",
        "time - duration('1h30m') > timestamp('2024-02-29T12:30:00Z') // comment\n && '''x\ny''' != \"\"\"z\"\"\"",
        "int(string(-5)) + [1, 2][0] == -4 && type(1) == int && null == kernel",
        "{'a': [1].map(x, x)}.`a-b` == Foo{b: 1}.?c[?0] ? .x : y.z.all(e, e > 0)",
    ]

    private static let pieces = [
        "(", ")", "[", "]", "{", "}", "\"", "'", "\\", "=~", "!~", "&&", "||", "not ", "and", "-", "!", ".", ",", ":",
        "?", "//", "\n", "0x",
        "1e", "9223372036854775808", "r'", "b\"", "'''", "`", "\u{0}", "é", "日", "🐱", "\u{301}", "\t", "\u{202E}", "in",
        "=", "&", "priority",
        "message", "(?P<", "[a-", "{2,1}", "\\x", "\\u12", "1.", ".5", "u", "timestamp(", "duration(", "matches(",
    ]

    private func mutated(_ random: inout SeededGenerator) -> String {
        var scalars = Array(random.pick(Self.seeds).unicodeScalars)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...scalars.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: scalars.insert(contentsOf: random.pick(Self.pieces).unicodeScalars, at: place)
            case 1: scalars.removeSubrange(place..<min(scalars.count, place + Int.random(in: 0...6, using: &random)))
            case 2: scalars = Array(scalars[..<place])
            default:
                let other = Array(random.pick(Self.seeds).unicodeScalars)
                scalars.replaceSubrange(place..., with: other[Int.random(in: 0..<other.count, using: &random)...])
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private func noise(_ random: inout SeededGenerator) -> String {
        let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func jumble(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...12, using: &random)).map { _ in random.pick(Self.pieces) }.joined()
    }

    /// A longer run takes its number of inputs, and other inputs, from the environment.
    private static func setting(_ name: String, otherwise value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? value
    }

    @Test func `50 000 random inputs are answered, right or wrong`() throws {
        var random = SeededGenerator(seed: UInt64(Self.setting("FILTER_FUZZ_SEED", otherwise: 7)))
        let inputs = Self.setting("FILTER_FUZZ_INPUTS", otherwise: 50_000)
        let record = SampleRecord([
            0: .text(Array("a1 timeout".utf8) + [0xFF]), 1: .int(3), 3: .int(-1), 4: .microseconds(1), 6: .double(.nan),
            7: .uint(.max),
        ])
        let options = CompileOptions(isChecked: false, requiresCondition: false)
        var accepted = 0
        var refused = 0
        for round in 0..<inputs {
            let text =
                switch round % 5 {
                case 0: noise(&random)
                case 1: jumble(&random)
                default: mutated(&random)
                }
            do throws(FilterError) {
                // Without checks more expressions reach the evaluator, with types that no check has seen.
                let filter =
                    round % 2 == 0
                    ? try compile(text) : try CompiledFilter(text, schema: JournalSchema(), options: options)
                accepted += 1
                if case .failed(let error) = filter.evaluate(record) { #expect(!error.message.isEmpty) }
            } catch {
                refused += 1
                if error.line < 1 || error.column < 1 || error.offset > text.utf8.count {
                    Issue.record("\(text): \(error)")
                }
                if round % 8 == 0, error.description.isEmpty { Issue.record("\(text) is refused without words") }
            }
        }
        // Inputs that are all refused, or all accepted, would exercise little.
        #expect(accepted > inputs / 25)
        #expect(refused > inputs / 3)
    }
}
