import Synchronization

/// What a run of evaluations may cost together, so that a stream of records made to be expensive cannot hold a thread for as
/// long as it lasts, although each of them stays within what one evaluation may cost.
///
/// Each evaluation may cost ``FilterLimits/averageCost``. One that costs less leaves the rest to those behind it, up to ten
/// times ``FilterLimits/cost``, with which a budget begins. So `n` evaluations cost at most `10 × cost + n × averageCost`, and
/// none more than `cost`. One that may not cost what it would is stopped, has no answer, and is counted.
///
/// A budget may be shared by any number of threads, and belongs to one source of records: where several share one, the records
/// of one may use up what another needs.
public final class FilterBudget: Sendable {
    private let limits: FilterLimits
    private let saved: Atomic<Int>
    private let stoppedCount = Atomic<Int>(0)

    public init(_ limits: FilterLimits = FilterLimits()) {
        self.limits = limits
        saved = Atomic(Self.most(limits))
    }

    /// Evaluations that were stopped because they would have cost too much, alone or together with those before them.
    public var stopped: Int { stoppedCount.load(ordering: .relaxed) }

    private static func most(_ limits: FilterLimits) -> Int {
        let (most, overflow) = max(0, limits.cost).multipliedReportingOverflow(by: 10)
        return overflow ? .max : most
    }

    /// What the next evaluation may cost.
    func grant() -> Int {
        let (granted, overflow) = max(0, saved.load(ordering: .relaxed)).addingReportingOverflow(limits.averageCost)
        return overflow ? limits.cost : min(limits.cost, granted)
    }

    /// What it did cost; more than was granted where it was stopped.
    func settle(_ cost: Int, isStopped: Bool) {
        if isStopped { stoppedCount.wrappingAdd(1, ordering: .relaxed) }
        let most = Self.most(limits)
        let change = limits.averageCost - cost
        var known = saved.load(ordering: .relaxed)
        // Most evaluations find all saved that can be, and leave it so.
        while !(change >= 0 && known == most) {
            let (sum, overflow) = known.addingReportingOverflow(change)
            let wanted = overflow ? most : min(most, sum)
            let (exchanged, now) = saved.weakCompareExchange(expected: known, desired: wanted, ordering: .relaxed)
            if exchanged { return }
            known = now
        }
    }
}

extension CompiledFilter {
    /// A budget of the filter's own limits.
    public func makeBudget() -> FilterBudget {
        FilterBudget(program.program.limits)
    }

    /// Whether the record is selected, as ``matches(_:)``; the cost is taken from the budget.
    @inlinable
    public func matches<Record: FilterRecord & ~Copyable>(
        _ record: borrowing Record,
        within budget: FilterBudget
    ) -> Bool {
        program.matches(within: budget) { record.value(of: $0, at: $1) }
    }

    /// What the filter says of the record, as ``evaluate(_:)``; the cost is taken from the budget.
    @inlinable
    public func evaluate<Record: FilterRecord & ~Copyable>(
        _ record: borrowing Record,
        within budget: FilterBudget
    ) -> FilterOutcome {
        program.evaluate(within: budget) { record.value(of: $0, at: $1) }
    }
}
