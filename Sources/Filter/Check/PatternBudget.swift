/// The budget that an expression's regular expressions share.
struct PatternBudget {
    /// Bytes for each.
    private let memory: Int
    /// Instructions for a single one, and for all that are still to come.
    private let maxSize: Int
    private var left: Int

    /// A single one never needs more.
    private static let maxMemory = 4 << 20

    init(_ expression: Expression, _ limits: FilterLimits) throws(Complaint) {
        var places: [SourceRange] = []
        Self.collect(expression, &places)
        guard places.count <= FilterLimits.regularExpressions else {
            throw Complaint(
                "there are \(places.count) regular expressions here, and at most \(FilterLimits.regularExpressions) are"
                    + " accepted; join them as in \"one|other\"",
                at: places[FilterLimits.regularExpressions],
                kind: .overLimit
            )
        }
        self.init(count: places.count, limits)
    }

    init(count: Int, _ limits: FilterLimits) {
        memory = min(Self.maxMemory, limits.regularExpressionMemory / max(1, count))
        left = limits.regularExpressionSize
        maxSize = limits.regularExpressionSize / 2
    }

    /// The limits for this pattern; later patterns have so much less.
    mutating func next(_ pattern: [UInt8]) -> RegularExpression.Limits {
        let limits = RegularExpression.Limits(memory: memory, size: min(maxSize, left))
        left = max(0, left - pattern.withUnsafeBytes { PatternSize.estimate($0) })
        return limits
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
