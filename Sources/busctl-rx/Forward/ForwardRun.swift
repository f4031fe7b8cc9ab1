import Bus
import Forwarding
import Glibc
import JournalBridge
import RecordSources

/// One run of `forward`.
struct ForwardRun: Sendable {
    private let source: any RecordSource
    private let follows: Bool
    /// `nil` for a source without places.
    private let file: CursorFile?
    private let keeper: PlaceKeeper
    private let outcome: TailOutcome
    private let stored = Counter()
    private let readiness: Readiness
    /// The thread that notes and saves places, and writes messages.
    private let writing: ThreadScheduler
    private let forwarder: Forwarder
    private let statistics: ForwardStatistics
    private let tellsNumbers: Bool

    /// - Parameter tellsNumbers: whether the numbers are said at the end and after SIGUSR1.
    init(
        _ source: any RecordSource,
        _ request: SourceRequest,
        to sink: any ForwardSink,
        _ file: CursorFile?,
        tellsNumbers: Bool
    ) {
        self.source = source
        follows = request.follows
        self.file = file
        self.tellsNumbers = tellsNumbers
        let outcome = TailOutcome()
        self.outcome = outcome
        // Going on would send more and more that the next run sends again.
        keeper = PlaceKeeper(file) { outcome.decide(.sourceLost, because: $0) }
        readiness = Readiness(sources: follows ? 1 : nil)
        writing = ThreadScheduler(name: "busctl-output")
        forwarder = Forwarder(to: sink, from: source, request: request, on: writing)
        statistics = ForwardStatistics(forwarder, to: sink)
    }

    /// Blocks until the run has ended; returns how it ended.
    func run() throws(ExitStatus) -> ExitStatus {
        let place = try savedPlace()
        let interruptions = try Interruptions(
            blockingAlso: (tellsNumbers ? [SIGUSR1] : []) + ((source as? OSSignalRecords)?.numbers ?? [])
        )
        interruptions.watchSignals(outcome) { 0 }
        let running = CompoundDisposable()
        let report = ForwardReport(statistics: statistics, manager: readiness.manager, tellsNumbers: tellsNumbers)
        running.add(
            forwarder.forwarded(from: place, keep: keeper) { StandardError.report($0) }
                .subscribe(
                    next: { [stored, readiness] news in
                        switch news {
                        case .began: readiness.caughtUp()
                        case .stored(isDuplicate: false): stored.increment()
                        case .stored, .leftOut, .passed: break
                        }
                    },
                    failed: { [outcome] failure in outcome.decide(.sourceLost, because: failure.description) },
                    completed: { [outcome, stored] in outcome.decide(stored.isZero ? .nothingMatched : .matched) }
                )
        )
        running.add(report.start(on: writing))
        let end = outcome.wait()
        running.dispose()
        StatusLine.close()
        _ = keeper.seal()
        let failure = keeper.finish()
        if let reason = end.reason { StandardError.report(reason) }
        if tellsNumbers {
            StandardError.report(statistics.line(total: true))
        } else if let summary = statistics.summary {
            StandardError.report(summary)
        }
        guard let failure else { return end.status }
        if failure != end.reason { StandardError.report(failure) }
        return .sourceLost
    }

    private func savedPlace() throws(ExitStatus) -> ForwardPlace {
        guard let file else { return ForwardPlace() }
        do throws(CursorFileError) {
            let place = try ForwardPlace(file)
            // Other sources read their places themselves.
            guard source is JournalRecords, !place.cursors.allSatisfy({ MergedJournal.isCursor($0) }) else {
                return place
            }
            throw CursorFileError(description: "\(file.path) holds no cursor")
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
    }
}
