/// How an expression's regular expressions share the memory that they may take together.
enum PatternBudget {
    /// A single one never needs more.
    private static let most = 4 << 20

    /// Bytes for each of the expression's regular expressions.
    static func share(of expression: Expression, _ limits: FilterLimits) throws(Complaint) -> Int {
        var places: [SourceRange] = []
        collect(expression, &places)
        guard places.count <= FilterLimits.regularExpressions else {
            throw Complaint(
                "there are \(places.count) regular expressions here, and at most \(FilterLimits.regularExpressions) are"
                    + " accepted; join them as in \"one|other\"",
                at: places[FilterLimits.regularExpressions],
                kind: .overLimit
            )
        }
        return min(most, limits.regularExpressionMemory / max(1, places.count))
    }

    private static func collect(_ expression: Expression, _ places: inout [SourceRange]) {
        switch expression.kind {
        case .binary(.matches, _, _, _), .binary(.doesNotMatch, _, _, _), .call("matches", _, _, _):
            places.append(expression.range)
        case .literal, .name: return
        default: break
        }
        for child in expression.kind.children { collect(child, &places) }
    }
}
