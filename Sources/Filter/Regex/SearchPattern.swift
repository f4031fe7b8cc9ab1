/// A regular expression, to find the parts of texts that it matches.
package struct SearchPattern: Sendable {
    private let expression: RegularExpression

    package struct Refusal: Error {
        /// Which of the patterns it is.
        package let index: Int
        package let reason: String
    }

    /// Compiles patterns, which share the limits of one expression.
    package static func compile(
        _ patterns: [String],
        _ limits: FilterLimits = FilterLimits()
    ) throws(Refusal) -> [SearchPattern] {
        var budget = PatternBudget(count: patterns.count, limits)
        var compiled: [SearchPattern] = []
        for (index, pattern) in patterns.enumerated() {
            let bytes = Array(pattern.utf8)
            do throws(RegularExpression.Refusal) {
                compiled.append(
                    SearchPattern(expression: try RegularExpression.compile(bytes, budget.next(bytes)))
                )
            } catch {
                throw Refusal(index: index, reason: error.description)
            }
        }
        return compiled
    }

    /// The parts of the text that match, from front to back, none of them empty, each of whole characters. The text
    /// is used as long as the sequence is.
    package func matches(in text: UnsafeRawBufferPointer) -> PatternMatches { PatternMatches(expression, text) }
}
