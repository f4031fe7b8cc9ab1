/// The lowest cost of evaluating an expression, and the highest where that can be known before a record is seen.
public struct CostEstimate: Sendable, Hashable {
    /// The cost for the record that is cheapest, in the unit of ``FilterLimits/cost``.
    public let min: Int
    /// `nil` where it depends on how long a record's texts or lists are.
    public let max: Int?

    static func + (left: CostEstimate, right: CostEstimate) -> CostEstimate {
        CostEstimate(
            min: saturating(left.min.addingReportingOverflow(right.min)),
            max: left.max.flatMap { first in right.max.map { saturating(first.addingReportingOverflow($0)) } }
        )
    }

    static func * (left: CostEstimate, right: CostEstimate) -> CostEstimate {
        CostEstimate(
            min: saturating(left.min.multipliedReportingOverflow(by: right.min)),
            max: left.max.flatMap { first in right.max.map { saturating(first.multipliedReportingOverflow(by: $0)) }
            }
        )
    }

    static func exactly(_ cost: Int) -> CostEstimate {
        CostEstimate(min: cost, max: cost)
    }

    static func upTo(_ cost: CostEstimate) -> CostEstimate {
        CostEstimate(min: 0, max: cost.max)
    }

    private static func saturating(_ result: (partialValue: Int, overflow: Bool)) -> Int {
        result.overflow ? .max : result.partialValue
    }

    /// Refuses an expression that costs too much whatever the record is.
    static func check(_ term: Term, _ limits: FilterLimits) throws(Complaint) {
        let estimate = CostEstimator.estimate(term).cost
        guard estimate.min > limits.cost else { return }
        throw Complaint(
            "evaluating this costs at least \(estimate.min), and at most \(limits.cost) is accepted; make its lists"
                + " shorter, or nest fewer macros",
            at: term.range,
            kind: .overLimit
        )
    }
}
