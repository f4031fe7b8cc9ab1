/// Estimates costs from the inside out, along with how many elements lists have.
enum CostEstimator {
    struct Estimate {
        var cost: CostEstimate
        /// Elements of a list, entries of a map; unknown for everything else.
        var size = CostEstimate(min: 0, max: nil)
    }

    static func estimate(_ term: Term) -> Estimate {
        switch term.kind {
        case .constant(let value): return Estimate(cost: .exactly(1), size: size(value))
        case .field, .presence, .local, .now, .failure: return Estimate(cost: .exactly(1))
        case .every: return Estimate(cost: CostEstimate(min: 1, max: nil))
        case .anyEqual(_, let operand, _):
            return Estimate(cost: estimate(operand).cost + CostEstimate(min: 2, max: nil))
        case .not(let operand), .negate(let operand): return Estimate(cost: estimate(operand).cost + .exactly(1))
        case .and(let terms), .or(let terms):
            // The first may decide.
            let costs = terms.map { estimate($0).cost }
            return Estimate(cost: costs.dropFirst().reduce(costs[0] + .exactly(1)) { $0 + .upTo($1) })
        case .conditional(let condition, let then, let otherwise): return conditional(condition, then, otherwise)
        case .binary(let infix, let left, let right): return binary(infix, left, right)
        case .list(let elements):
            let cost = elements.reduce(CostEstimate.exactly(11)) { $0 + estimate($1.term).cost }
            let fixed = elements.filter { !$0.isOptional }.count
            return Estimate(cost: cost, size: CostEstimate(min: fixed, max: elements.count))
        case .map(let entries):
            let cost = entries.reduce(CostEstimate.exactly(31)) { $0 + estimate($1.key).cost + estimate($1.value).cost }
            let fixed = entries.filter { !$0.isOptional }.count
            return Estimate(cost: cost, size: CostEstimate(min: fixed, max: entries.count))
        case .select(let operand, _, _): return Estimate(cost: estimate(operand).cost + .exactly(1))
        case .index(let operand, let key, _):
            return Estimate(cost: estimate(operand).cost + estimate(key).cost + .exactly(1))
        case .call(_, let arguments):
            let cost = arguments.reduce(CostEstimate.exactly(1)) { $0 + estimate($1).cost }
            return Estimate(cost: cost + CostEstimate(min: 0, max: nil))
        case .matches(let operand, _, _):
            // Text without a byte costs one more.
            return Estimate(cost: estimate(operand).cost + CostEstimate(min: 2, max: nil))
        case .loop(let loop): return self.loop(loop)
        case .bind(_, let value, let body):
            return Estimate(cost: estimate(value).cost + estimate(body).cost + .exactly(1))
        case .mapOptional(let target, _, let body, _):
            return Estimate(cost: estimate(target).cost + .exactly(1) + .upTo(estimate(body).cost))
        }
    }

    private static func size(_ value: OwnedValue) -> CostEstimate {
        switch value {
        case .list(let elements): .exactly(elements.count)
        case .map(let entries): .exactly(entries.count / 2)
        default: CostEstimate(min: 0, max: nil)
        }
    }

    private static func conditional(_ condition: Term, _ then: Term, _ otherwise: Term) -> Estimate {
        let (first, second) = (estimate(then), estimate(otherwise))
        func either(_ left: CostEstimate, _ right: CostEstimate) -> CostEstimate {
            CostEstimate(
                min: min(left.min, right.min),
                max: left.max.flatMap { first in right.max.map { max(first, $0) } }
            )
        }
        return Estimate(
            cost: estimate(condition).cost + .exactly(1) + either(first.cost, second.cost),
            size: either(first.size, second.size)
        )
    }

    private static func binary(_ infix: BinaryOperator, _ left: Term, _ right: Term) -> Estimate {
        let (first, second) = (estimate(left), estimate(right))
        let cost = first.cost + second.cost + .exactly(1)
        let isScalar = left.type.isNumber || right.type.isNumber || left.type == .bool || right.type == .bool
        if infix == .add, left.type.isList { return Estimate(cost: cost, size: first.size + second.size) }
        if infix == .isIn { return Estimate(cost: cost + .upTo(second.size)) }
        return Estimate(cost: isScalar ? cost : cost + CostEstimate(min: 0, max: nil))
    }

    /// Only a loop that looks at every element has a cost that is certain.
    private static func loop(_ loop: Loop) -> Estimate {
        let range = estimate(loop.range)
        let body = estimate(loop.body).cost
        let iteration: CostEstimate =
            loop.filter.map { estimate($0).cost + .exactly(1) + .upTo(body) } ?? (body + .exactly(1))
        let iterations = range.size * iteration
        switch loop.result {
        case .all, .exists:
            return Estimate(cost: range.cost + .exactly(1) + .upTo(iterations))
        case .existsOne: return Estimate(cost: range.cost + .exactly(1) + iterations)
        case .map where loop.filter == nil:
            return Estimate(cost: range.cost + .exactly(1) + iterations, size: range.size)
        default: return Estimate(cost: range.cost + .exactly(1) + iterations, size: .upTo(range.size))
        }
    }
}
