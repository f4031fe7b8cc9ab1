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
