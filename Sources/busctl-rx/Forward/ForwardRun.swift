import Bus
import Forwarding
import JournalBridge
import RecordSources

/// One run of `forward`.
struct ForwardRun: Sendable {
    private let sink: any ForwardSink
    private let source: any RecordSource
    private let request: SourceRequest
    /// `nil` for a source without places.
    private let file: CursorFile?
    private let keeper: PlaceKeeper
    private let outcome = TailOutcome()
    private let stored = Counter()
    private let readiness: Readiness
    /// The thread that notes and saves places, and writes messages.
    private let writing = ThreadScheduler(name: "busctl-output")

    /// What is said at the end.
    private let summary: @Sendable () -> String?

    init(
        _ source: any RecordSource,
        _ request: SourceRequest,
        to sink: any ForwardSink,
        _ file: CursorFile?,
        summary: @escaping @Sendable () -> String? = { nil }
    ) {
        self.summary = summary
        self.source = source
        self.request = request
        self.sink = sink
        self.file = file
        keeper = PlaceKeeper(file) { StandardError.report($0, hint: TailRun.savingGoesOn) }
        readiness = Readiness(sources: request.follows ? 1 : nil)
    }

    /// Blocks until the run has ended; returns how it ended.
    func run() throws(ExitStatus) -> ExitStatus {
        let place = try savedPlace()
        let interruptions = try Interruptions(blockingAlso: (source as? OSSignalRecords)?.numbers ?? [])
        interruptions.watchSignals(outcome) { 0 }
        let forwarding = Forwarder(to: sink, from: source, request, on: writing)
            .forwarded(from: place, keep: keeper) { StandardError.report($0) }
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
        let end = outcome.wait()
        forwarding.dispose()
        _ = keeper.seal()
        let failure = keeper.finish()
        if let reason = end.reason { StandardError.report(reason) }
        if let summary = summary() { StandardError.report(summary) }
        guard let failure else { return end.status }
        StandardError.report(failure)
        return .sourceLost
    }

    private func savedPlace() throws(ExitStatus) -> ForwardPlace {
        guard let file else { return ForwardPlace() }
        do throws(CursorFile.Failure) {
            let place = try ForwardPlace(file)
            // Other sources read their places themselves.
            guard source is JournalRecords, !place.cursors.allSatisfy({ MergedJournal.isCursor($0) }) else { return place }
            throw CursorFile.Failure(description: "\(file.path) holds no cursor")
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
    }
}
