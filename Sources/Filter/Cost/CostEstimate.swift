/// The least cost of evaluating an expression, and the most where that can be known before a record is seen.
public struct CostEstimate: Sendable, Hashable {
    public var least: Int
    /// `nil` where it depends on how long a record's texts or lists are.
    public var most: Int?

    static func + (left: CostEstimate, right: CostEstimate) -> CostEstimate {
        CostEstimate(
            least: saturating(left.least.addingReportingOverflow(right.least)),
            most: left.most.flatMap { first in right.most.map { saturating(first.addingReportingOverflow($0)) } }
        )
    }

    static func * (left: CostEstimate, right: CostEstimate) -> CostEstimate {
        CostEstimate(
            least: saturating(left.least.multipliedReportingOverflow(by: right.least)),
            most: left.most.flatMap { first in right.most.map { saturating(first.multipliedReportingOverflow(by: $0)) }
            }
        )
    }

    static func exactly(_ cost: Int) -> CostEstimate {
        CostEstimate(least: cost, most: cost)
    }

    static func upTo(_ cost: CostEstimate) -> CostEstimate {
        CostEstimate(least: 0, most: cost.most)
    }

    private static func saturating(_ result: (partialValue: Int, overflow: Bool)) -> Int {
        result.overflow ? .max : result.partialValue
    }

    /// Refuses an expression that costs too much whatever the record is.
    static func check(_ term: Term, _ limits: FilterLimits) throws(Complaint) {
        let estimate = CostEstimator.estimate(term).cost
        guard estimate.least > limits.cost else { return }
        throw Complaint(
            "evaluating this costs at least \(estimate.least), and at most \(limits.cost) is accepted; make its lists"
                + " shorter, or nest fewer macros",
            at: term.range,
            kind: .overLimit
        )
    }
}
