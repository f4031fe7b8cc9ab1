import Bus
import DescriptorBridge
import Filter
import Glibc
import JournalBridge
import OSSignalBridge
import Timers

/// One run of `tail`: source, filter, output, and everything that may end it.
struct TailRun {
    /// How long what is being written may take after a signal has asked the process to end.
    private static let grace = Duration.seconds(2)

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
        // Before there is another thread, so that all of them leave these signals to be read.
        let signals = try blockSignals()
        signal(SIGPIPE, SIG_IGN)

        let silence = plan.timeout.map { MatchWatch($0) { [outcome] in outcome.decide(.timedOut) } }
        let writer = TailWriter(outcome, silence)
        // To the very end, for the last of the writing and of the messages may take long, too.
        let interruptions = watchSignals(signals, writer)
        defer { interruptions.dispose() }
        let running = CompoundDisposable()
        if plan.cursorFile != nil { running.add(keeper.start(on: writing)) }
        running.add(watchOutput(of: writer))
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

    private func blockSignals() throws(ExitStatus) -> OSSignalSet {
        do throws(OSSignalError) {
            let ending = try OSSignalSet([SIGINT, SIGTERM])
            try OSSignalSet([SIGINT, SIGTERM] + (records?.plan.signalNumbers ?? [])).block()
            return ending
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
    }

    private func show(through writer: TailWriter) -> any Disposable {
        if let records { return show(records, through: writer) }
        return source().ending(after: plan.follows ? plan.until : nil).deliver(on: writing, limit: Self.batches)
            .subscribe(
                next: { [keeper, readiness] text in
                    switch text {
                    case .entries(let bytes): writer.write(bytes)
                    case .report(let message): writer.report(message)
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
        return run.records(count: plan.count, caughtUp: caughtUp, report: report)
            .ending(after: plan.follows ? plan.until : nil)
            .deliver(on: writing, limit: run.limit)
            .subscribe(
                next: { output.write($0) },
                failed: { [outcome] failure in outcome.decide(.sourceLost, because: failure.reason) },
                completed: { [outcome] in outcome.decide(writer.verdict) },
                lost: { run.lose($0) }
            )
    }

    private func source() -> AnySignal<TailText, TailFailure> {
        switch plan.input {
        case .journal(let source, let start, let follow):
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
            .map(TailText.init)
            .mapError { TailFailure(reason: $0.description) }
            .eraseToAnySignal()
        case .records: Signals.empty().promoteFailure(to: TailFailure.self).eraseToAnySignal()
        case .export(let path, let last):
            Signals.journalExportText(
                path: path,
                last: last,
                query: plan.query,
                limit: plan.count,
                style: plan.style
            )
            .map(TailText.init)
            .mapError { TailFailure(reason: $0.description) }
            .eraseToAnySignal()
        }
    }

    private func watchSignals(_ set: OSSignalSet, _ writer: TailWriter) -> any Disposable {
        let seen = Counter()
        return Signals.osSignals(set).subscribe(
            next: { [outcome] signal in
                let status = ExitStatus.interrupted(signal: signal.number)
                // A second signal says not to wait for the writing.
                if !seen.isZero { return LastWord.end(status, unwritten: writer.unwritten) }
                seen.increment()
                outcome.decide(status)
                // The reader may have stopped reading, which must not keep the process from ending.
                TimerScheduler.shared.schedule(after: Self.grace) {
                    LastWord.end(status, unwritten: writer.unwritten)
                }
            },
            failed: { [outcome] error in outcome.decide(.sourceLost, because: error.description) }
        )
    }

    /// A reader that is gone ends the run also while nothing is being written.
    private func watchOutput(of writer: TailWriter) -> any Disposable {
        if StandardDescriptors.isOutputClosed { outcome.decide(writer.verdict) }
        return Signals.hangup(of: STDOUT_FILENO).subscribe(next: { [outcome] in outcome.decide(writer.verdict) })
    }
}
