import Bus
import Filter
import JournalBridge

/// One run of `tail`: source, filter, output, and everything that may end it.
struct TailRun {
    /// How many batches of entries, some 32 KiB each, may wait to be written before the reader is told to pause; as many
    /// again are being written.
    private static let batches = 8

    private let plan: TailPlan
    private let records: RecordRun?
    private let outcome = TailOutcome()
    private let keeper: PlaceKeeper
    private let readiness: Readiness
    /// Where the output is written, which takes as long as whoever reads it does.
    private let writing = ThreadScheduler(name: "busctl-output")

    init(_ plan: TailPlan) {
        self.plan = plan
        records = if case .records(let plan) = plan.input { RecordRun(plan: plan) } else { nil }
        keeper = PlaceKeeper(plan.cursorFile)
        readiness = Readiness(sources: plan.follows ? records?.plan.sources.count ?? 1 : nil)
    }

    /// Blocks until the run has ended and everything is written; answers how it ended.
    func run() throws(ExitStatus) -> ExitStatus {
        let interruptions = try Interruptions(blockingAlso: records?.plan.signalNumbers ?? [])
        let silence = plan.timeout.map { MatchWatch($0) { [outcome] in outcome.decide(.timedOut) } }
        let writer = TailWriter(outcome, silence)
        let signals = interruptions.watchSignals(outcome) { writer.unwritten }
        defer { signals.dispose() }
        let running = CompoundDisposable()
        if plan.cursorFile != nil { running.add(keeper.start(on: writing)) }
        running.add(interruptions.watchOutput(outcome) { writer.verdict })
        running.add(show(through: writer))
        let end = outcome.wait()
        silence?.dispose()
        running.dispose()
        let place = keeper.seal()
        if plan.showsCursor, let place { writer.write(lastLine: "-- cursor: \(place)\n") }
        let failure = writer.close() ?? keeper.finish()
        if let reason = end.reason { StandardError.report(reason) }
        if let skipped = writer.skippedSinceReport { StandardError.report("in all, \(skipped)") }
        for line in records?.summary ?? [] { StandardError.report(line) }
        if let tally = plan.tally { StandardError.report(rendered: FilterArgument.summary(tally)) }
        if let stopped = plan.budget?.stopped, stopped > 0 { StandardError.report(FilterArgument.stopped(stopped)) }
        guard let failure else { return end.status }
        StandardError.report(failure)
        return .sourceLost
    }

    private func show(through writer: TailWriter) -> any Disposable {
        switch plan.input {
        case .records: records.map { show($0, through: writer) } ?? FinishedDisposable()
        case .journal(let source, let start, let follow):
            show(
                Signals.journalText(
                    source,
                    from: start,
                    follow: follow,
                    query: plan.query,
                    threads: plan.threads,
                    limit: plan.count,
                    style: plan.style,
                    tellsPlaces: plan.cursorFile != nil || plan.showsCursor
                )
                .mapError { TailFailure(reason: $0.description) },
                through: writer
            )
        case .export(let path, let last):
            show(
                Signals.journalExportText(
                    path: path,
                    last: last,
                    query: plan.query,
                    limit: plan.count,
                    style: plan.style
                )
                .mapError { TailFailure(reason: $0.description) },
                through: writer
            )
        }
    }

    private func show(
        _ texts: some Signal<JournalText, TailFailure>,
        through writer: TailWriter
    ) -> any Disposable {
        texts.eraseToAnySignal().ending(after: plan.follows ? plan.until : nil).deliver(
            on: writing,
            limit: Self.batches
        )
        .subscribe(
            next: { [keeper, readiness] text in
                switch text {
                case .entries(let bytes): writer.write(bytes)
                case .gap(let gap): writer.report(gap.description)
                case .skipped(let fields): writer.report(fields)
                case .caughtUp:
                    writer.flush()
                    readiness.caughtUp()
                case .place(let cursor):
                    if writer.writeAll() { keeper.note(cursor) }
                }
            },
            failed: { [outcome] failure in outcome.decide(.sourceLost, because: failure.reason) },
            completed: { [outcome] in outcome.decide(writer.verdict) }
        )
    }

    private func show(_ run: RecordRun, through writer: TailWriter) -> any Disposable {
        let output = RecordOutput(run.plan.style, writer, on: writing)
        let report: @Sendable (String) -> Void = { [writing] message in writing.schedule { writer.report(message) } }
        let caughtUp: @Sendable () -> Void = { [writing, readiness] in writing.schedule { readiness.caughtUp() } }
        if let context = run.plan.context {
            return run.blocks(around: context, count: plan.count, caughtUp: caughtUp, report: report)
                .ending(after: plan.follows ? plan.until : nil)
                .deliver(on: writing, limit: context.limit)
                .subscribe(
                    next: { output.write($0) },
                    failed: { [outcome] failure in outcome.decide(.sourceLost, because: failure.reason) },
                    completed: { [outcome] in outcome.decide(writer.verdict) },
                    lost: { run.lose($0) }
                )
        }
        return run.records(count: plan.count, caughtUp: caughtUp, report: report)
            .ending(after: plan.follows ? plan.until : nil)
            .deliver(on: writing, limit: run.limit)
            .subscribe(
                next: { output.write($0) },
                failed: { [outcome] failure in outcome.decide(.sourceLost, because: failure.reason) },
                completed: { [outcome] in outcome.decide(run.verdict(writer.verdict)) },
                lost: { run.lose($0) }
            )
    }
}
