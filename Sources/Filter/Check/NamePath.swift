/// A name with the members selected from it, outermost first: `a.b.c`.
struct NamePath {
    var parts: [(name: String, range: SourceRange)]
    let isAbsolute: Bool

    init?(_ expression: Expression) {
        var members: [(name: String, range: SourceRange)] = []
        var rest = expression
        while case .select(let operand, let member, let memberRange, isOptional: false) = rest.kind {
            members.append((member, memberRange))
            rest = operand
        }
        guard case .name(let name, let isAbsolute) = rest.kind else { return nil }
        members.append((name, rest.range))
        parts = members.reversed()
        self.isAbsolute = isAbsolute
    }

    func joined(_ range: Range<Int>) -> String {
        range.count == 1 ? parts[range.lowerBound].name : parts[range].map(\.name).joined(separator: ".")
    }
}
