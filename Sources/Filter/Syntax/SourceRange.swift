/// A part of the expression's text, in bytes of UTF-8 from its start.
struct SourceRange: Hashable, Sendable {
    var lower: Int
    var upper: Int

    init(_ lower: Int, _ upper: Int) {
        self.lower = lower
        self.upper = upper
    }

    /// From this part's start to the other's end.
    func through(_ other: SourceRange) -> SourceRange {
        SourceRange(lower, max(upper, other.upper))
    }
}
