/// Why an expression is refused, before the place is turned into line and column.
struct Complaint: Error {
    var message: String
    var range: SourceRange
    var kind = FilterError.Kind.refused
    /// Set where a name is unknown, so that the other side of a comparison can improve the advice.
    var unknownName: UnknownName?

    init(_ message: String, at range: SourceRange, kind: FilterError.Kind = .refused) {
        self.message = message
        self.range = range
        self.kind = kind
    }

    struct UnknownName {
        let name: String
        /// The probable meaning: another name, or an expression.
        let suggestion: String?
        /// Whether it is the name in other tools, and not only the nearest name.
        let isSynonym: Bool
    }
}
