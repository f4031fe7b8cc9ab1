/// The condition on a record for part of an expression to have the wanted value, as far as exact values of fields can
/// express it.
///
/// Fields' values are kept as sets, so that `priority >= 2 && priority <= 4` is three values and not the intersection
/// of two matches.
indirect enum MatchPlan: Hashable {
    case everything
    case nothing
    /// The field equals one of the values.
    case values(field: Int, Set<MatchValue>)
    /// One of the record's values for the field is one of these.
    case shared(field: Int, Set<MatchValue>)
    case all([MatchPlan])
    case any([MatchPlan])

    /// The largest plan, in values and parts. Without a limit, the plan of a few nested `?` would have no end. A plan
    /// may always select more records than it must, so a larger one is made smaller.
    static let sizeLimit = 128

    static func conjunction(_ parts: [MatchPlan]) -> MatchPlan {
        var joined = Joined()
        for part in parts.lazy.flatMap(\.conjuncts) {
            switch part {
            case .everything: continue
            case .nothing: return .nothing
            case .values(let field, let values): joined.add(part, field, values) { $0.intersection($1) }
            default: joined.add(part)
            }
        }
        if joined.plans.contains(where: \.isEmptySet) { return .nothing }
        // A record that meets all of the conditions meets the first ones.
        var capacity = sizeLimit
        let kept = joined.plans.filter { plan in
            let fits = plan.size <= capacity
            if fits { capacity -= plan.size }
            return fits
        }
        return kept.isEmpty ? .everything : kept.count == 1 ? kept[0] : .all(kept)
    }

    static func disjunction(_ parts: [MatchPlan]) -> MatchPlan {
        var joined = Joined()
        for part in parts.lazy.flatMap(\.disjuncts) {
            switch part {
            case .nothing: continue
            case .everything: return .everything
            case .values(let field, let values), .shared(let field, let values):
                joined.add(part, field, values) { $0.union($1) }
            default: joined.add(part)
            }
        }
        let plans = joined.plans
        if plans.count == 1, plans[0].size <= sizeLimit { return plans[0] }
        guard plans.reduce(0, { $0 + $1.size }) < sizeLimit else { return .everything }
        return plans.isEmpty ? .nothing : .any(plans)
    }

    private var conjuncts: [MatchPlan] {
        if case .all(let parts) = self { parts } else { [self] }
    }

    private var disjuncts: [MatchPlan] {
        if case .any(let parts) = self { parts } else { [self] }
    }

    private var isEmptySet: Bool {
        if case .values(_, let values) = self { values.isEmpty } else { false }
    }

    private var size: Int {
        switch self {
        case .everything, .nothing: 1
        case .values(_, let values), .shared(_, let values): values.count
        case .all(let parts), .any(let parts): parts.reduce(1) { $0 + $1.size }
        }
    }

    /// Different plans, those of single fields first, with one set for each field.
    private struct Joined {
        private var sets: [MatchPlan] = []
        private var places: [Int: Int] = [:]
        private var rest: [MatchPlan] = []
        private var known: Set<MatchPlan> = []

        var plans: [MatchPlan] { sets + rest }

        mutating func add(
            _ plan: MatchPlan,
            _ field: Int,
            _ values: Set<MatchValue>,
            _ join: (Set<MatchValue>, Set<MatchValue>) -> Set<MatchValue>
        ) {
            guard let place = places[field] else {
                places[field] = sets.count
                return sets.append(plan)
            }
            switch (sets[place], plan) {
            // Any value of the field is looked at where one of the two looks at any.
            case (.shared(_, let known), _), (.values(_, let known), .shared):
                sets[place] = .shared(field: field, join(known, values))
            case (.values(_, let known), _): sets[place] = .values(field: field, join(known, values))
            default: break
            }
        }

        mutating func add(_ plan: MatchPlan) {
            if known.insert(plan).inserted { rest.append(plan) }
        }
    }
}
