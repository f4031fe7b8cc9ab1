import TestSupport
import Testing

@testable import Filter

/// No input may crash the lexer, parser, checker, evaluator, printer or the rendering of an error, and no content of a
/// record may crash an evaluation. `make fuzz` runs this for minutes with Address Sanitizer.
@Suite struct FuzzTests {
    private struct Counts {
        var inputs = 0
        var accepted = 0
        var refused = 0
        var answered = 0
    }

    @Test func `random expressions on random records are answered, right or wrong`() throws {
        let fuzzing = Fuzzing("FILTER", rounds: 1_000, stress: 10_000)
        var counts = Counts()
        try fuzzing.run { random, _ in
            var fuzzer = Fuzzer(random: random)
            try round(&fuzzer, &counts)
            random = fuzzer.random
        }
        // Inputs that are all refused, all accepted, or never have a result would exercise little.
        #expect(counts.accepted > counts.inputs / 10)
        #expect(counts.refused > counts.inputs / 5)
        #expect(counts.answered > counts.accepted / 20)
        if fuzzing.isAsked { print("\(counts.inputs) inputs: \(counts)") }
    }

    private func round(_ fuzzer: inout Fuzzer, _ counts: inout Counts) throws {
        let text = fuzzer.expression(counts.inputs)
        // Without checks more expressions reach the evaluator, with types that no check has seen.
        let options = CompileOptions(isChecked: counts.inputs % 4 == 0, requiresCondition: counts.inputs % 8 == 0)
        counts.inputs += 1
        do throws(FilterError) {
            let filter = try CompiledFilter(text, schema: JournalSchema(), options: options)
            counts.accepted += 1
            if counts.inputs % 16 == 0 {
                #expect(!filter.explain().description.isEmpty)
                let again = try CompiledFilter(filter.text, schema: JournalSchema(), options: options)
                if again.text != filter.text {
                    Issue.record("\(text) is printed as \(filter.text), then as \(again.text)")
                }
            }
            for _ in 0..<3 {
                let record = fuzzer.record()
                switch filter.program.value({ record.value(of: $0, at: $1) }) {
                case .success: counts.answered += 1
                case .failure(let error): if error.description.isEmpty { Issue.record("\(text) fails without words") }
                }
                _ = filter.matches(record)
            }
        } catch {
            counts.refused += 1
            if error.line < 1 || error.column < 1 || error.offset > text.utf8.count {
                Issue.record("\(text): \(error)")
            }
            if counts.inputs % 8 == 0, error.description.isEmpty { Issue.record("\(text) is refused without words") }
        }
    }
}
