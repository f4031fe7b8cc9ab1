import Bus
import FilterBridge
import RecordSources
import Records
import Synchronization
import Timers

/// The operators that wait for records, and whether the awaited record came.
final class EventWatch: Sendable {
    private let plan: EventPlan
    private let isMet = Atomic(false)
    private let isTooLate = Atomic(false)

    typealias Records = AnySignal<Record, SourceFailure>

    init(_ plan: EventPlan) { self.plan = plan }

    func applied(to records: Records) -> Records {
        var records = records
        if let first = plan.first {
            records = records.skip(until: { Self.isEvent($0, first) }).eraseToAnySignal()
        }
        if let last = plan.last {
            records = records.take(until: { Self.isEvent($0, last) }, includingMatch: true).eraseToAnySignal()
        }
        if let filter = plan.question?.filter {
            records = records.take(
                until: { [self] record in
                    guard Self.isEvent(record, filter) else { return false }
                    isMet.store(true, ordering: .releasing)
                    return true
                },
                includingMatch: true
            ).eraseToAnySignal()
        }
        if let patience = plan.patience {
            let end = Signals.timer(after: patience)
                .on(next: { [self] _ in isTooLate.store(true, ordering: .releasing) })
            records = records.take(until: end).eraseToAnySignal()
        }
        return records
    }

    /// The exit status of a run whose records are over.
    ///
    /// - Parameter shown: the answer where nothing was asked.
    func verdict(_ shown: ExitStatus) -> ExitStatus {
        let isMet = isMet.load(ordering: .acquiring)
        switch plan.question {
        case nil: return shown
        case .expect where isMet: return .matched
        case .expect: return isTooLate.load(ordering: .acquiring) ? .timedOut : .nothingMatched
        case .absent: return isMet ? .nothingMatched : .matched
        }
    }

    /// The messages for a person at the end.
    var summary: [String] {
        let undecided = plan.undecided
        guard undecided > 0 else { return [] }
        return [
            "what the run waits for could not be decided for \(undecided) \(undecided == 1 ? "record" : "records"),"
                + " because it would have taken too long"
        ]
    }

    private static func isEvent(_ record: Record, _ filter: RecordFilter) -> Bool {
        record.kind == .event && filter.selects(record)
    }
}
