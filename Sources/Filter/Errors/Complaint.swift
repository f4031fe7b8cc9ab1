/// Why an expression is refused, before the place is turned into line and column.
struct Complaint: Error {
    var message: String
    var range: SourceRange
    var kind = FilterError.Kind.refused

    init(_ message: String, at range: SourceRange, kind: FilterError.Kind = .refused) {
        self.message = message
        self.range = range
        self.kind = kind
    }
}
