/// The condition on a record for part of an expression to have the wanted value, as far as exact values of fields can
/// express it.
///
/// Fields' values are kept as sets, so that `priority >= 2 && priority <= 4` is three values and not the intersection
/// of two matches.
indirect enum MatchPlan: Equatable {
    case everything
    case nothing
    /// The field equals one of the values.
    case values(field: Int, Set<MatchValue>)
    /// One of the record's values for the field is one of these.
    case shared(field: Int, Set<MatchValue>)
    case all([MatchPlan])
    case any([MatchPlan])

    static func conjunction(_ parts: [MatchPlan]) -> MatchPlan {
        var rest: [MatchPlan] = []
        var sets: [(field: Int, values: Set<MatchValue>)] = []
        for part in parts.flatMap(\.conjuncts) {
            switch part {
            case .everything: continue
            case .nothing: return .nothing
            case .values(let field, let values):
                if let index = sets.firstIndex(where: { $0.field == field }) {
                    sets[index].values.formIntersection(values)
                } else {
                    sets.append((field, values))
                }
            default:
                if !rest.contains(part) { rest.append(part) }
            }
        }
        if sets.contains(where: \.values.isEmpty) { return .nothing }
        let joined = sets.map { MatchPlan.values(field: $0.field, $0.values) } + rest
        return joined.isEmpty ? .everything : joined.count == 1 ? joined[0] : .all(joined)
    }

    static func disjunction(_ parts: [MatchPlan]) -> MatchPlan {
        var rest: [MatchPlan] = []
        var sets: [(field: Int, values: Set<MatchValue>)] = []
        for part in parts.flatMap(\.disjuncts) {
            switch part {
            case .nothing: continue
            case .everything: return .everything
            case .values(let field, let values):
                if let index = sets.firstIndex(where: { $0.field == field }) {
                    sets[index].values.formUnion(values)
                } else {
                    sets.append((field, values))
                }
            default:
                if !rest.contains(part) { rest.append(part) }
            }
        }
        let joined = sets.map { MatchPlan.values(field: $0.field, $0.values) } + rest
        return joined.isEmpty ? .nothing : joined.count == 1 ? joined[0] : .any(joined)
    }

    private var conjuncts: [MatchPlan] {
        if case .all(let parts) = self { parts } else { [self] }
    }

    private var disjuncts: [MatchPlan] {
        if case .any(let parts) = self { parts } else { [self] }
    }
}
