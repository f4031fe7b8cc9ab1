import Bus
import Filter
import Glibc
import JournalBridge
import OSSignalBridge
import RecordSources
import Records

/// One run of `tail`: source, filter, output, and everything that may end it.
struct TailRun {
    static let savingGoesOn = "It is tried again as long as reading goes on."
    /// How many batches of entries, some 32 KiB each, may wait to be written before the reader is told to pause; as many
    /// again are being written.
    private static let batches = 8

    private let plan: TailPlan
    private let records: RecordRun?
    private let search: SearchReport?
    private let outcome: TailOutcome
    /// `nil` where nobody asks for a place.
    private let keeper: PlaceKeeper?
    /// The message about the place that was reported last, and whether the end has reported. Held while it is written, so that the
    /// program does not end before.
    private let reported: Lock<(message: String?, isOver: Bool)>
    private let readiness: Readiness
    /// The thread that writes the output. It waits for the reader of the output.
    private let writing = ThreadScheduler(name: "busctl-output")

    init(_ plan: TailPlan) {
        self.plan = plan
        // Commands may write to the terminal, too.
        search = plan.action == nil ? SearchReport() : nil
        records = if case .records(let plan) = plan.input { RecordRun(plan: plan, report: search) } else { nil }
        let (outcome, reported) = (TailOutcome(), Lock<(message: String?, isOver: Bool)>((nil, false)))
        (self.outcome, self.reported) = (outcome, reported)
        keeper =
            plan.cursorFile != nil || plan.showsCursor
            ? PlaceKeeper(plan.cursorFile) { message in
                let goesOn = plan.follows && outcome.end == nil
                reported.withLock { reported in
                    guard !reported.isOver else { return }
                    reported.message = message
                    StandardError.report(message, hint: goesOn ? Self.savingGoesOn : nil)
                }
            } : nil
        readiness = Readiness(sources: plan.follows ? records?.plan.sources.count ?? 1 : nil)
    }

    /// Blocks until the run has ended and everything is written; returns how it ended.
    func run() throws(ExitStatus) -> ExitStatus {
        let interruptions = try Interruptions(
            blockingAlso: (records?.plan.signalNumbers ?? []) + (plan.statistics == nil ? [] : [SIGUSR1])
        )
        let silence = plan.timeout.map { limit in
            MatchWatch(limit) { [outcome, plan] value in outcome.decide(.timedOut, because: plan.silence(of: value)) }
        }
        let matches = Counter()
        let verdictWithoutOutput: @Sendable () -> ExitStatus = { [records] in
            let shown = TailWriter.verdict(matches)
            return records?.verdict(shown, isOver: false) ?? shown
        }
        let pager = plan.pager.map { choice in
            // Nobody sees any further output.
            Pager(choice) { [outcome] in outcome.decide(verdictWithoutOutput()) }
        }
        let writer = TailWriter(
            outcome,
            matches,
            silence,
            pager,
            mayBeClosed: plan.action != nil,
            verdictWithoutOutput: verdictWithoutOutput
        )
        let running = CompoundDisposable()
        if let keeper, plan.cursorFile != nil { running.add(keeper.start(on: writing)) }
        let actions = plan.action.map { action in
            ActionRun(action, records?.plan.timing ?? RecordTiming(field: nil), writer, on: writing)
        }
        // Before the rest, which is done while the first entries are read. A signal that comes now waits, because it is blocked.
        running.add(show(through: writer, actions))
        interruptions.watchSignals(outcome, pager: pager) { writer.unwritten }
        running.add(tellingStatistics())
        // With a pager, the pager's end counts instead of the output's. Commands are run even if nobody reads their
        // output.
        if pager == nil, actions == nil {
            running.add(interruptions.watchOutput(outcome, verdict: verdictWithoutOutput))
        }
        if let search { running.add(search.showing(on: writing)) }
        let end = outcome.wait()
        silence?.dispose()
        let unwatched = silence?.unwatched ?? 0
        running.dispose()
        StatusLine.close()
        // The thread that is just starting a command also tells it to end.
        if actions != nil { waitForWriting() }
        if let place = keeper?.seal(), plan.showsCursor { writer.write(lastLine: "-- cursor: \(place)\n") }
        let failure = writer.close() ?? keeper?.finish()
        if let reason = end.reason { StandardError.report(reason) }
        if let skipped = writer.skippedSinceReport { StandardError.report("in all, \(skipped)") }
        if unwatched > 0 {
            StandardError.report(
                "--timeout waited for \(MatchDeadline.maxValues) values, and for none of those of \(unwatched) further records"
            )
        }
        for line in (records?.summary ?? []) + (actions?.summary ?? []) { StandardError.report(line) }
        if let statistics = plan.statistics {
            StandardError.report(statistics.line(heldBack: records?.heldBack ?? 0, total: true))
        }
        if plan.showsTally, let tally = plan.tally { StandardError.report(rendered: FilterArgument.summary(tally)) }
        if let stopped = plan.budget?.stopped, stopped > 0 { StandardError.report(FilterArgument.stopped(stopped)) }
        guard let failure = [failure, pager?.close()].compactMap({ $0 }).first else {
            return pager?.interrupted ?? end.status
        }
        reported.withLock { reported in
            reported.isOver = true
            if reported.message != failure { StandardError.report(failure) }
        }
        return .sourceLost
    }

    /// Blocks until the writing thread has finished its present work.
    private func waitForWriting() {
        let done = Latch()
        writing.schedule { done.open() }
        done.wait()
    }

    private func tellingStatistics() -> any Disposable {
        guard let statistics = plan.statistics else { return FinishedDisposable() }
        return RunStatistics.telling { [records] in statistics.line(heldBack: records?.heldBack ?? 0) }
    }

    private func show(through writer: TailWriter, _ actions: ActionRun?) -> any Disposable {
        switch plan.input {
        case .records: records.map { show($0, through: writer, actions) } ?? FinishedDisposable()
        case .journal(let source, let course):
            show(
                Signals.journalText(
                    source,
                    course,
                    query: plan.query,
                    threads: plan.threads,
                    limit: plan.count,
                    style: plan.style,
                    tellsPlaces: plan.cursorFile != nil || plan.showsCursor || plan.statistics != nil,
                    progress: search?.add()
                ),
                through: writer
            )
        case .export(let path, let last, let isReversed):
            show(
                Signals.journalExportText(
                    path: path,
                    last: last,
                    isReversed: isReversed,
                    query: plan.query,
                    limit: plan.count,
                    style: plan.style
                ),
                through: writer
            )
        }
    }

    private func show<Failure: Error & CustomStringConvertible>(
        _ texts: some Signal<JournalText, Failure>,
        through writer: TailWriter
    ) -> any Disposable {
        guard plan.follows, let until = plan.until else { return write(texts, through: writer) }
        let ending = texts.eraseToAnySignal().ending(after: until) { text in
            if case .caughtUp = text { true } else { false }
        }
        return write(ending, through: writer)
    }

    private func write<Failure: Error & CustomStringConvertible>(
        _ texts: some Signal<JournalText, Failure>,
        through writer: TailWriter
    ) -> any Disposable {
        texts.deliver(on: writing, limit: Self.batches).subscribe(
            next: { [plan, keeper, readiness] text in
                switch text {
                case .entries(let bytes): writer.write(bytes)
                case .gap(let gap):
                    plan.statistics?.lose(gap.lost)
                    writer.report(gap.description)
                case .skipped(let fields): writer.report(fields)
                case .caughtUp:
                    writer.flush()
                    readiness.caughtUp()
                case .place(let cursor):
                    plan.statistics?.note(place: cursor)
                    if writer.writeAll() { keeper?.note(cursor) }
                }
            },
            failed: { [outcome] failure in outcome.decide(.sourceLost, because: failure.description) },
            completed: { [outcome] in outcome.decide(writer.verdict) }
        )
    }

    /// How many bytes of records may wait to be written.
    private static let maxBytes = 64 << 20

    private func show(_ run: RecordRun, through writer: TailWriter, _ actions: ActionRun?) -> any Disposable {
        let report: @Sendable (String) -> Void = { [writing] message in writing.schedule { writer.report(message) } }
        let caughtUp: @Sendable () -> Void = { [writing, readiness] in writing.schedule { readiness.caughtUp() } }
        if let actions {
            let records = run.records(count: plan.count, caughtUp: caughtUp, report: report)
                .deliver(on: writing, limit: run.limit, byteLimit: Self.maxBytes)
            return actions.applied(to: records).subscribe(
                next: { _ in },
                failed: { [outcome] failure in outcome.decide(.sourceLost, because: failure.description) },
                completed: { [outcome] in outcome.decide(actions.verdict(run.verdict(writer.verdict))) },
                lost: { run.lose($0) }
            )
        }
        let output = RecordOutput(run.plan, explaining: plan.style, writer, on: writing)
        if let context = run.plan.context {
            return run.blocks(around: context, count: plan.count, caughtUp: caughtUp, report: report)
                .deliver(on: writing, limit: context.limit, byteLimit: Self.maxBytes)
                .subscribe(
                    next: { output.write($0) },
                    failed: { [outcome] failure in outcome.decide(.sourceLost, because: failure.description) },
                    completed: { [outcome] in outcome.decide(writer.verdict) },
                    lost: { run.lose($0) }
                )
        }
        return run.records(count: plan.count, caughtUp: caughtUp, report: report)
            .deliver(on: writing, limit: run.limit, byteLimit: Self.maxBytes)
            .subscribe(
                next: { output.write($0) },
                failed: { [outcome] failure in outcome.decide(.sourceLost, because: failure.description) },
                completed: { [outcome] in outcome.decide(run.verdict(writer.verdict)) },
                lost: { run.lose($0) }
            )
    }
}
