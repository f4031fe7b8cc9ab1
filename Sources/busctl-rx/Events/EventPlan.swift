import Filter
import FilterBridge

/// What a run waits for, compiled. All expressions are asked about records that the filter has selected.
struct EventPlan: Sendable {
    /// Where showing begins.
    var first: RecordFilter?
    /// What ends the run.
    var last: RecordFilter?
    var question: Question?
    /// How long is waited for what is expected.
    var patience: Duration?

    /// What the exit status answers. Whatever meets it ends the run.
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
    init?(_ options: EventOptions, over sources: [RecordPlan.Source]) throws {
        guard options.isUsed else { return nil }
        let compiled = { (text: String?) throws -> RecordFilter? in
            try text.map { try FilterArgument.compile($0, over: sources) }
        }
        first = try compiled(options.afterMatch)
        last = try compiled(options.untilMatch)
        question = try compiled(options.expect).map(Question.expect) ?? compiled(options.absent).map(Question.absent)
        patience = options.within?.duration
    }

    /// For how many records an expression was stopped.
    var undecided: Int { [first, last, question?.filter].compactMap { $0?.budget.stopped }.reduce(0, +) }
}
