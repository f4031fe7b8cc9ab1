/// A name with the members selected from it, outermost first: `a.b.c`.
struct NamePath {
    var parts: [(name: String, range: SourceRange)]
    let isAbsolute: Bool

    init?(_ expression: Expression) {
        switch expression.kind {
        case .name(let name, let isAbsolute):
            parts = [(name, expression.range)]
            self.isAbsolute = isAbsolute
        case .select(let operand, let member, let memberRange, isOptional: false):
            guard let path = NamePath(operand) else { return nil }
            self = path
            parts.append((member, memberRange))
        default: return nil
        }
    }

    func joined(_ range: Range<Int>) -> String {
        range.count == 1 ? parts[range.lowerBound].name : parts[range].map(\.name).joined(separator: ".")
    }
}
