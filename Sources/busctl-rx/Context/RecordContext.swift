import Filter
import FilterBridge
import JournalBridge
import Records

/// The condition for matches, and how many records beside them are shown.
struct RecordContext: Sendable {
    let matches: RecordFilter
    let before: Int
    let after: Int
    let tally: FilterTally?

    /// How many records may wait to be written, in blocks of a match with the records before it.
    var limit: Int { max(16, 1024 / (before + 1)) }

    /// Whether any option or filter defines matches.
    static func hasMatches(_ operands: FilterOperands, _ choosing: ChoosingOptions) throws -> Bool {
        if choosing.choice.pattern != nil || operands.all.contains(where: KeptFilter.isCalled) { return true }
        return try !operands.typed.isEmpty && operands.matches() == nil
    }

    /// Divides the filter in two: the condition for reading, and the condition for matches.
    static func split(
        _ operands: FilterOperands,
        _ choosing: ChoosingOptions
    ) throws -> (reading: (operands: FilterOperands, choosing: ChoosingOptions), matches: String) {
        let areMatches = try operands.matches() == nil
        var reading = (operands: operands, choosing: choosing)
        reading.choosing.choice.pattern = nil
        reading.operands.all = areMatches ? [] : operands.typed
        var pieces = try operands.kept().map(\.text)
        if areMatches { pieces += operands.typed }
        if let search = choosing.choice.search { pieces.append(search) }
        return (reading, FilterText.all(pieces))
    }
}

/// The context of the records that the filter selects, like grep's -B and -A.
struct ContextChoice {
    /// How many records before a match are shown.
    let before: Int
    /// How many after it.
    let after: Int

    /// The value of an option. More would be a second filter.
    static func count(_ text: String) throws -> Int {
        try WholeNumber.parse(text, in: 0...10_000, example: "-C 3")
    }
}

extension ReadingAidOptions {
    /// `nil` where no context is wanted.
    var context: ContextChoice? {
        guard beforeContext != nil || afterContext != nil || bothContexts != nil else { return nil }
        return ContextChoice(before: beforeContext ?? bothContexts ?? 0, after: afterContext ?? bothContexts ?? 0)
    }
}
