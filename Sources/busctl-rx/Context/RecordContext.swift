import ArgumentParser
import Filter
import FilterBridge

/// Which records are matches, and how many beside them are shown.
struct RecordContext: Sendable {
    let matches: RecordFilter
    let before: Int
    let after: Int
    let tally: FilterTally?

    /// How many records may wait to be written, in blocks of a match with what stands before it.
    var limit: Int { max(16, 1024 / (before + 1)) }

    /// Where the filter is cut in two: what is read, and what of it is a match.
    ///
    /// - Throws: `ValidationError` if nothing says what a match is.
    static func split(
        _ operands: [String],
        _ choosing: ChoosingOptions
    ) throws -> (reading: (operands: [String], choosing: ChoosingOptions), matches: String) {
        let areMatches = try FieldMatches(operands) == nil
        var reading = choosing
        reading.grep = nil
        let pieces = (areMatches ? operands : []) + (choosing.grep.map { [ChoosingOptions.search($0)] } ?? [])
        guard !pieces.isEmpty else {
            throw ValidationError(
                "--before-context and --after-context show what stands beside a match. Say what matches with a filter or -g."
            )
        }
        return ((areMatches ? [] : operands, reading), FilterText.all(pieces))
    }
}
