import Filter
import FilterBridge
import RecordSources

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
