import Bus
import JournalBridge
import Records

/// Writes records on the writing thread, and the gathered output whenever no further record is ready.
final class RecordOutput: Sendable {
    private struct State: ~Copyable {
        var writer: RecordWriter
        /// The explanations below entries of a journal.
        let explanations: CatalogFormat?
        // Used again for each record.
        var text = OutputBuffer(capacity: 4096)
        var isFlushing = false
    }

    private let state: Lock<State>
    private let showsGaps: Bool
    private let timing: RecordTiming
    private let marksBlocks: Bool
    private let output: TailWriter
    private let scheduler: ThreadScheduler

    /// - Parameter journalStyle: how entries of a journal are explained.
    init(
        _ plan: RecordPlan,
        explaining journalStyle: JournalStyle,
        _ output: TailWriter,
        on scheduler: ThreadScheduler
    ) {
        let style = plan.style
        let explanations = style.format.showsExplanations ? CatalogFormat(journalStyle) : nil
        state = Lock(State(writer: RecordWriter(style, plan.aids), explanations: explanations))
        // Gaps are shown to programs, too.
        timing = plan.timing
        showsGaps = !style.format.isForPeople
        marksBlocks = style.format.isLaidOut
        self.output = output
        self.scheduler = scheduler
    }

    /// Writes records that are shown together.
    func write(_ block: RecordBlock) {
        if block.isApart, marksBlocks { output.write(lastLine: "--\n") }
        for record in block.records { write(record) }
    }

    func write(_ record: Record) {
        if case .gap = record.kind {
            output.report(gapOf: record.source, record.message ?? "records are missing here")
            if !showsGaps { return }
        }
        // One use of the lock, which nobody else needs while a record is written.
        let (text, isFirst) = state.withLock { state -> ([UInt8], Bool) in
            state.text.removeAll()
            state.writer.write(record, to: &state.text)
            if let explanations = state.explanations, let content = record.content as? JournalContent {
                explanations.append(content.entry, to: &state.text)
            }
            defer { state.isFlushing = true }
            return (state.text.withBytes { Array($0) }, !state.isFlushing)
        }
        if record.kind == .event {
            output.write(text, of: timing.value(of: record))
        } else {
            output.write(lastLine: text)
        }
        // After all waiting records, because the scheduler runs one after the other.
        guard isFirst else { return }
        scheduler.schedule { [self] in
            state.withLock { $0.isFlushing = false }
            output.flush()
        }
    }
}

extension RecordFormat {
    /// Whether it is for people, and nothing else formats it.
    fileprivate var isLaidOut: Bool {
        if case .template = self { false } else { isForPeople }
    }

    /// Whether it shows texts of the message catalogue.
    fileprivate var showsExplanations: Bool {
        switch self {
        case .line, .verbose: true
        case .message, .json, .jsonPretty, .jsonSequence, .jsonEvents, .logfmt, .template: false
        }
    }
}
