import Bus
import Filter
import FilterBridge
import JournalBridge
import RecordSources
import Records
import Timers

/// One run of `count`.
struct CountRun: Sendable {
    /// How long after the end of a span its records are waited for, in microseconds. A later record gets a row of its
    /// own.
    private static let grace: Int64 = 1_000_000

    private let records: RecordRun
    private let search: SearchReport?
    private let text: CountText
    private let grouping: RecordGrouping
    private let table = Lock(GatheredCounts())
    /// The sources that are counted each by itself.
    private let asked = Lock<[CountedSource]>([])
    /// What is written as lines of its own.
    private let gaps = Lock<[(source: String, message: String)]>([])
    /// How long another machine may be silent.
    private let patience: Duration
    private let showsMachines: Bool
    private let isLive: Bool
    private let outcome = TailOutcome()
    private let output = StandardOutput()
    /// The thread that counts and writes, which waits for the reader of the output.
    private let writing = ThreadScheduler(name: "busctl-output")
    private let drawn = RedrawnText()

    init(
        _ plan: RecordPlan,
        by grouping: RecordGrouping,
        format: CountText.Format,
        isUTC: Bool,
        top: Int?,
        within patience: Duration,
        showsMachines: Bool,
        isFramed: Bool
    ) {
        search = SearchReport()
        records = RecordRun(plan: plan, report: search)
        self.grouping = grouping
        let isTerminal = StandardDescriptors.isOutputTerminal
        text = CountText(
            format: format,
            grouping: grouping,
            isUTC: isUTC,
            isForTerminal: isTerminal,
            hasBlocks: isTerminal && PagerChoice.isUTF8(ColorChoice.environment),
            width: RedrawnText.Size.now.columns,
            top: top ?? (isTerminal && plan.follow ? 20 : nil),
            isFramed: isFramed
        )
        self.patience = patience
        self.showsMachines = showsMachines
        isLive = plan.follow
    }

    /// Blocks until everything is counted and written; returns how it ended.
    func run() throws(ExitStatus) -> ExitStatus {
        let interruptions = try Interruptions(blockingAlso: records.plan.signalNumbers)
        interruptions.watchSignals(outcome) { [output] in output.unwritten }
        let running = CompoundDisposable()
        running.add(interruptions.watchOutput(outcome) { verdict })
        if isLive { running.add(showing()) }
        if let search { running.add(search.showing(on: writing)) }
        running.add(counting())
        let end = outcome.wait()
        running.dispose()
        StatusLine.close()
        if let budget = records.plan.filter?.budget, budget.stopped > 0 {
            note(FilterArgument.stopped(budget.stopped), of: nil)
        }
        let isWhole: Bool =
            switch end.status {
            // Machines that failed have been named, and the others are counted.
            case .sourceLost: end.reason == nil && table.withLock { $0.complete > 0 }
            // The trailer says that nothing is missing.
            case .interrupted: !text.isFramed
            default: true
            }
        finish(isWhole: isWhole)
        if let reason = end.reason { StandardError.report(reason) }
        if !isWhole { reportCounted() }
        if case .interrupted = end.status { reportUnanswered() }
        for line in records.summary { StandardError.report(line) }
        let others = table.withLock { $0.counts.others }
        if others > 0, !text.isFramed {
            StandardError.report("\(others) records of further values are counted, and not told apart")
        }
        guard let failure = output.reportableFailure else { return end.status }
        StandardError.report(failure)
        return .sourceLost
    }

    /// The exit status when there was no error.
    private var verdict: ExitStatus {
        table.withLock { $0.failures.isEmpty ? $0.counts.total > 0 ? .matched : .nothingMatched : .sourceLost }
    }

    /// Names the machines that an interrupted run still waited for.
    private func reportUnanswered() {
        let machines = asked.withLock { $0 }
        let ended = table.withLock { $0.ended }
        for index in machines.indices where machines[index].isMachine && !ended.contains(index) {
            StandardError.report("\(machines[index].name): had not answered until then")
        }
    }

    private func counting() -> any Disposable {
        let report: @Sendable (String) -> Void = { [writing] message in
            writing.schedule { StandardError.report(message) }
        }
        if let sources = records.counted(by: grouping) {
            asked.withLock { $0 = sources }
            return Signals.counting(sources, within: patience).deliver(on: writing, limit: records.limit).subscribe(
                next: { take($0, of: sources[$0.source]) },
                completed: { [outcome] in
                    if showsMachines { reportMachines(sources) }
                    outcome.decide(verdict)
                }
            )
        }
        return records.records(count: nil, caughtUp: {}, report: report)
            .deliver(on: writing, limit: records.limit)
            .subscribe(
                next: { [table, grouping] record in
                    guard record.kind == .event else { return note(record.message ?? "", of: record.source) }
                    table.withLock { $0.add(record, in: grouping) }
                },
                failed: { [outcome] failure in outcome.decide(.sourceLost, because: failure.description) },
                completed: { [outcome] in outcome.decide(verdict) },
                lost: { [records] in records.lose($0) }
            )
    }

    /// Counts what came from a source. A machine that failed is left out; the failure of another source ends the run.
    private func take(_ event: CountedEvent, of source: CountedSource) {
        if case .next(.gap(let message)) = event.event { note(message, of: source.name) }
        guard let failure = table.withLock({ $0.take(event, of: source.name, in: grouping) }) else { return }
        guard source.isMachine else { return outcome.decide(.sourceLost, because: failure.description) }
        StandardError.report(failure.description)
    }

    /// Says that records may be missing.
    private func note(_ message: String, of source: String?) {
        if text.isFramed { return gaps.withLock { $0.append((source ?? "filter", message)) } }
        StandardError.report([source, message].compactMap { $0 }.joined(separator: ": "))
    }

    private func reportMachines(_ sources: [CountedSource]) {
        let read = table.withLock { $0.read }
        let machines = sources.indices.filter { sources[$0].isMachine }
        for index in machines where read.contains(index) {
            StandardError.report("\(sources[index].name): its records were read, and counted here")
        }
        let failed = table.withLock { $0.failures.count }
        let own = machines.count - read.count - failed
        StandardError.report("\(own) of \(machines.count) machines counted their records themselves")
    }

    /// Shows the counts while it goes on.
    private func showing() -> any Disposable {
        let ticks = Signals.interval(every: .seconds(1)).deliver(on: writing, limit: 1, overflow: .dropNewest)
        if text.isForTerminal, text.format == .table {
            return ticks.subscribe(next: { _ in draw() })
        }
        guard grouping.hasSpans, text.format != .table else { return FinishedDisposable() }
        output.append(Array(text.header.utf8))
        return ticks.subscribe(next: { _ in
            let rows = table.withLock { $0.takeRows(before: RecordTime.now.microseconds - Self.grace, in: grouping) }
            if rows.isEmpty { return }
            output.append(Array(text.lines(rows).utf8))
            output.flush()
            if output.failure != nil { outcome.decide(verdict) }
        })
    }

    /// Draws the table in place of the previous one.
    private func draw() {
        let size = RedrawnText.Size.now
        let counts = table.withLock { $0.counts }
        output.append(drawn.replacing(with: text.fitted(to: size).text(of: counts), on: size))
        output.flush()
        if output.failure != nil { outcome.decide(verdict) }
    }

    /// Says what is not written.
    private func reportCounted() {
        let total = table.withLock { $0.counts.total }
        if total > 0 {
            StandardError.report("\(total == 1 ? "1 record was" : "\(total) records were") counted until then")
        }
    }

    /// - Parameter isWhole: whether all was counted that was to be. A part of it is no answer, though it looks like one.
    private func finish(isWhole: Bool) {
        let (present, failures) = table.withLock { ($0.counts, $0.failures) }
        if isLive, grouping.hasSpans, text.format != .table {
            output.append(Array(text.lines(present.rows).utf8))
        } else if isWhole {
            // The terminal may have another width by now.
            var text = text
            text.width = RedrawnText.Size.now.columns
            let whole = text.text(of: present, gaps: gaps.withLock { $0 }, failures: failures)
            output.append(Array((drawn.erasure() + whole).utf8))
        }
        output.close()
    }
}
