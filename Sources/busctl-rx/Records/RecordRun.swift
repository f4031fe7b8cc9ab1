import Bus
import Records
import Timers

/// The records of a run, in order, timed and bounded.
struct RecordRun: Sendable {
    let plan: RecordPlan
    let malformed = MalformedLines()
    private let before = Counter()
    private let after = Counter()

    /// How many records of a source, or of all together, may wait.
    var limit: Int {
        if case .last(let count) = plan.lines { return max(1024, min(count, 1 << 24) + 1) }
        return 1024
    }

    /// - Parameters:
    ///   - count: after how many events it ends.
    ///   - caughtUp: is told when a source waits for what comes.
    ///   - report: is told of what is missing.
    func records(
        count: Int?,
        caughtUp: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (String) -> Void
    ) -> AnySignal<Record, TailFailure> {
        let sources = RecordSources(plan: plan, malformed: malformed).signals().map { source in
            source.on(next: { item in if case .caughtUp = item { caughtUp() } }).eraseToAnySignal()
        }
        var records: AnySignal<Record, TailFailure>
        if sources.count == 1, let only = sources.first {
            records = only.compactMap { item in
                if case .record(let record) = item { record } else { nil }
            }.eraseToAnySignal()
        } else {
            records = Signals.merge(inOrder: sources, window: plan.window, limit: limit).eraseToAnySignal()
        }
        if plan.timing.leavesOut {
            // What is missing is said at once, and not left out.
            let events = records.filter { [before] record in
                if case .gap = record.kind {
                    report("\(record.source): \(record.message ?? "")")
                    return false
                }
                before.increment()
                return true
            }
            let timed = plan.timing.applied(to: events.eraseToAnySignal())
            records = timed.on(next: { [after] _ in after.increment() }).eraseToAnySignal()
        } else {
            records = plan.timing.applied(to: records)
        }
        guard let count else { return records }
        return records.transduced(by: EventLimit(remaining: count)).eraseToAnySignal()
    }

    /// What to tell a person in the end.
    var summary: [String] {
        let held = before.count - after.count
        let kept =
            plan.timing.leavesOut && held > 0
            ? ["\(held == 1 ? "1 record was" : "\(held) records were") held back, and \(after.count) shown"] : []
        return malformed.summary + kept
    }
}

/// Ends after so many events; gaps do not count.
private struct EventLimit: Transducer {
    typealias Input = Record
    typealias InputFailure = TailFailure
    typealias Output = Record
    typealias Failure = TailFailure
    var remaining: Int

    mutating func next<Downstream: Observer & ~Copyable>(
        _ record: Record,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Record, Downstream.Failure == TailFailure {
        if record.kind == .event { remaining -= 1 }
        let demand = downstream.next(record)
        return remaining <= 0 ? .stop : demand
    }

    var demand: Demand { remaining <= 0 ? .stop : .more }
}
