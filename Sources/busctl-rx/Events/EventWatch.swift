import Bus
import Filter
import FilterBridge
import RecordSources
import Records
import Synchronization
import Timers

/// The events that a run waits for, compiled. All expressions are evaluated on records that the filter has selected.
struct EventPlan: Sendable {
    /// The condition that begins showing.
    var first: RecordFilter?
    /// The condition that ends the run.
    var last: RecordFilter?
    var question: Question?
    /// How long to wait for the expected record.
    var patience: Duration?

    /// The question that the exit status answers. A record that satisfies it ends the run.
    enum Question: Sendable {
        case expect(RecordFilter)
        case absent(RecordFilter)

        var filter: RecordFilter {
            switch self {
            case .expect(let filter), .absent(let filter): filter
            }
        }
    }

    /// `nil` where there is nothing to wait for.
    init?(_ options: OperatorOptions, over sources: [NamedSource]) throws {
        guard options.waitsForEvents else { return nil }
        let compiled = { (text: String?) throws -> RecordFilter? in
            try text.map { try FilterArgument.compile($0, over: sources) }
        }
        first = try compiled(options.afterMatch)
        last = try compiled(options.untilMatch)
        question = try compiled(options.expect).map(Question.expect) ?? compiled(options.absent).map(Question.absent)
        patience = options.within
    }

    var filters: [RecordFilter] { [first, last, question?.filter].compactMap { $0 } }

    /// For how many records an expression was stopped.
    var undecided: Int { filters.map(\.budget.stopped).reduce(0, +) }
}

/// The operators that wait for records, and whether the awaited record came.
final class EventWatch: Sendable {
    private let plan: EventPlan
    private let isMet = Atomic(false)
    private let isTooLate = Atomic(false)

    typealias Records = AnySignal<Record, SourceError>

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

    /// The exit status of a run.
    ///
    /// - Parameters:
    ///   - shown: the answer where nothing was asked.
    ///   - isOver: whether its records are over. If not, nobody knows that a record does not come.
    func verdict(_ shown: ExitStatus, isOver: Bool) -> ExitStatus {
        let isMet = isMet.load(ordering: .acquiring)
        switch plan.question {
        case nil: return shown
        case .expect where isMet: return .matched
        case .expect: return isTooLate.load(ordering: .acquiring) ? .timedOut : .nothingMatched
        case .absent: return isMet ? .nothingMatched : isOver ? .matched : .sourceLost
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
