import TestSupport
import Testing

@testable import Filter

/// Compiling takes time in proportion to the expression's length, whatever the expression: a filter may come from
/// someone who means harm, and is compiled on a thread that others wait for.
struct CompileTimeTests {
    /// Times that a character of any expression may take as long as one of plain conditions.
    private static let factor = 12.0

    /// The limit is 100,000, and `make stress` comes close to it. What is quadratic takes half as many times the factor at half the length.
    private static let length = Stress.isAsked ? 90_000 : 15_000

    private func time(_ text: String, isChecked: Bool = true) -> Double {
        ProcessorTime.least(of: 2) {
            do throws(FilterError) {
                let options = CompileOptions(isChecked: isChecked)
                let filter = try CompiledFilter(text, schema: LongExpressions.Schema(), options: options)
                _ = filter.probes
            } catch {
                // A refusal is an answer, too.
                _ = error.description
            }
        }
    }

    /// How much longer a character takes than one of plain conditions.
    private func ratio(_ text: String, isChecked: Bool = true) -> Double {
        let plain = LongExpressions.plain.text(Self.length)
        return time(text, isChecked: isChecked) / Double(text.utf8.count) * Double(plain.utf8.count) / time(plain)
    }

    @Test(arguments: LongExpressions.all)
    func `compiling takes time in proportion to the length`(_ kind: LongExpressions) {
        let text = kind.text(Self.length)
        #expect((refusal(of: text, schema: LongExpressions.Schema()) != nil) == kind.isRefused)
        let ratio = ratio(text)
        #expect(ratio < Self.factor)
    }

    @Test func `random expressions take no longer`() {
        var expressions = RandomExpressions(random: SeededGenerator(Stress.isAsked ? .random(in: 0...(.max)) : 41))
        for round in 0..<Stress.rounds(4, stress: 100) {
            let joint = expressions.random.pick([" || ", " && ", ", "])
            var text = ""
            while text.utf8.count < Self.length {
                // The deepest that the printer writes without exceeding the limit on depth.
                let part = ExpressionPrinter.print(expressions.expression(expressions.random.pick([1, 3, 6])))
                text += (text.isEmpty ? "" : joint) + "(" + part + ")"
            }
            if joint == ", " { text = "[\(text)] == []" }
            // Without checks the expressions are not refused at their first mistake.
            let ratio = ratio(text, isChecked: round % 4 == 0)
            #expect(ratio < Self.factor, "\(text.prefix(2_000))")
        }
    }
}
