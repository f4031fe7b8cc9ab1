import Synchronization

/// The cost that a run of evaluations may have together. It keeps a stream of records made to be expensive from
/// holding a thread for as long as the stream lasts, although each evaluation stays within the limit of one.
///
/// Each evaluation may cost ``FilterLimits/averageCost``. An evaluation that costs less leaves the rest to later
/// ones, up to twice ``FilterLimits/cost``, which is also what a budget begins with. So `n` evaluations cost at
/// most `2 × cost + n × averageCost`, and none more than `cost`. An evaluation that would cost more is stopped, has
/// no answer, and is counted.
///
/// A budget may be shared by any number of threads, and belongs to one source of records: if several sources shared
/// it, the records of one could use up the budget of another.
public final class FilterBudget: Sendable {
    private let limits: FilterLimits
    private let saved: Atomic<Int>
    private let stoppedCount = Atomic<Int>(0)
    private let whole: FilterBudget?

    /// - Parameters:
    ///   - limits: of these, ``FilterLimits/cost`` and ``FilterLimits/averageCost`` count.
    ///   - whole: counts the evaluations that are stopped here, too.
    init(_ limits: FilterLimits, of whole: FilterBudget? = nil) {
        self.limits = limits
        self.whole = whole
        saved = Atomic(Self.maxSaved(limits))
    }

    /// Evaluations that were stopped because they would have cost too much, alone or together with those before them.
    public var stopped: Int { stoppedCount.load(ordering: .relaxed) }

    /// A budget for one of several sources. This one counts the evaluations that are stopped there, too.
    package func forOneSource() -> FilterBudget { FilterBudget(limits, of: self) }

    private static func maxSaved(_ limits: FilterLimits) -> Int {
        let (maxSaved, overflow) = max(0, limits.cost).multipliedReportingOverflow(by: 2)
        return overflow ? .max : maxSaved
    }

    /// The cost that the next evaluation may have.
    func grant() -> Int {
        let (granted, overflow) = max(0, saved.load(ordering: .relaxed)).addingReportingOverflow(limits.averageCost)
        return overflow ? limits.cost : min(limits.cost, granted)
    }

    /// The cost that it had; more than was granted where it was stopped.
    func settle(_ cost: Int, isStopped: Bool) {
        if isStopped {
            stoppedCount.wrappingAdd(1, ordering: .relaxed)
            whole?.stoppedCount.wrappingAdd(1, ordering: .relaxed)
        }
        let maxSaved = Self.maxSaved(limits)
        let change = max(0, limits.averageCost) - cost
        var known = saved.load(ordering: .relaxed)
        // Usually the saved budget is at its maximum already, and stays so.
        while !(change >= 0 && known == maxSaved) {
            let (sum, overflow) = known.addingReportingOverflow(change)
            let wanted = overflow ? maxSaved : min(maxSaved, sum)
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

    /// The filter's result for the record, as ``evaluate(_:)``; the cost is taken from the budget.
    @inlinable
    public func evaluate<Record: FilterRecord & ~Copyable>(
        _ record: borrowing Record,
        within budget: FilterBudget
    ) -> FilterOutcome {
        program.evaluate(within: budget) { record.value(of: $0, at: $1) }
    }
}
