import Bus
import JournalBridge
import NATSBridge
import RecordSources
import Timers

/// The journal to forward, and the filter.
struct ForwardSource: Sendable {
    let journal: JournalSource
    let query: JournalQuery
    let follow: Bool
}

/// One run of `forward`.
struct ForwardRun: Sendable {
    private let source: ForwardSource
    private let server: NATSAddress
    private let subject: String
    private let file: CursorFile
    private let keeper: PlaceKeeper
    private let outcome = TailOutcome()
    private let stored = Counter()
    private let patience = ForwardPatience()
    private let readiness: Readiness
    /// The thread that notes and saves places, and writes messages.
    private let writing = ThreadScheduler(name: "busctl-output")

    init(_ source: ForwardSource, to server: NATSAddress, _ subject: String, _ file: CursorFile) {
        self.source = source
        self.server = server
        self.subject = subject
        self.file = file
        keeper = PlaceKeeper(file)
        readiness = Readiness(sources: source.follow ? 1 : nil)
    }

    /// Blocks until the run has ended; returns how it ended.
    func run() throws(ExitStatus) -> ExitStatus {
        let place = Lock(try savedPlace())
        let interruptions = try Interruptions()
        interruptions.watchSignals(outcome) { 0 }
        let running = CompoundDisposable()
        running.add(keeper.start(on: writing))
        running.add(forwarding(from: place))
        let end = outcome.wait()
        running.dispose()
        _ = keeper.seal()
        let failure = keeper.finish()
        if let reason = end.reason { StandardError.report(reason) }
        guard let failure else { return end.status }
        StandardError.report(failure)
        return .sourceLost
    }

    private func savedPlace() throws(ExitStatus) -> ForwardPlace {
        do throws(CursorFile.Failure) {
            let place = ForwardPlace(lines: try file.readLines())
            guard let cursor = place.cursor, !MergedJournal.isCursor(cursor) else { return place }
            throw CursorFile.Failure(description: "\(file.path) holds no cursor")
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
    }

    private func forwarding(from place: Lock<ForwardPlace>) -> any Disposable {
        Signals.deferred { [self] in attempt(from: place) }
            .on(failed: { [patience] error in patience.failed(error) })
            .reconnecting(
                endsFailure: { news, error in news == .stored || (news == .began && error.isOutage) },
                isTemporary: { [patience] error in patience.isTemporary(error) },
                note: { StandardError.report("forward: \($0)") }
            )
            .subscribe(
                next: { _ in },
                failed: { [outcome] error in outcome.decide(.sourceLost, because: error.description) },
                completed: { [outcome, stored] in
                    outcome.decide(stored.isZero ? .nothingMatched : .matched)
                }
            )
    }

    /// An event of an attempt.
    private enum News: Sendable {
        /// The server is there, and the stream.
        case began
        /// A message was stored.
        case stored
        case other
        /// Everything is stored, and nothing more comes.
        case ended
    }

    /// Forwards over one connection.
    private func attempt(from place: Lock<ForwardPlace>) -> AnySignal<News, ForwardError> {
        let sending = ForwardSending(to: server, subject)
        let beginning = Signals.attempt { () async throws(ForwardError) in
            try await sending.begin(from: place.withLock { $0 })
        }
        return beginning.deliver(on: writing).flatMap(.concat) { [self] beginning in
            patience.foundStream()
            for report in beginning.reports { StandardError.report(report) }
            begin(at: beginning.progress.place, instead: place)
            let state = Lock(beginning.progress)
            return entries(from: beginning, by: sending, state)
                .deliver(on: writing, limit: ForwardSending.maxPending)
                .map { done in
                    if done.isStored, !done.isDuplicate { stored.increment() }
                    if let report = done.report { StandardError.report(report) }
                    if let number = done.number,
                        let news = state.withLock({ $0.finish(number, stored: done.sequence) })
                    {
                        note(news, instead: place)
                    }
                    return done.isStored ? News.stored : .other
                }
                .prepend(News.began)
                .append(News.ended)
                .merge(sending.ending(on: writing).map { News.other })
                .take(until: { $0 == News.ended })
        }
        .eraseToAnySignal()
    }

    private func note(_ news: ForwardPlace, instead place: Lock<ForwardPlace>) {
        place.withLock { $0 = news }
        keeper.note(news.text)
    }

    /// What was done with the entries, in any order.
    private func entries(
        from beginning: ForwardBeginning,
        by sending: ForwardSending,
        _ state: Lock<ForwardProgress>
    ) -> AnySignal<ForwardDone, ForwardError> {
        let capacity = ByteCapacity(ForwardSending.maxBytes)
        return items(from: beginning.progress.start).taking(capacity)
            .map { (task: Self.task($0, state), size: $0.size) }
            .flatMap(.merge(maxConcurrent: ForwardSending.maxPending), limit: ForwardSending.maxPending) { item in
                sending.perform(item.task, in: beginning.stream).finally { capacity.giveBack(item.size) }
            }
            .eraseToAnySignal()
    }

    /// Saves where the run begins before anything is sent.
    private func begin(at base: ForwardPlace, instead place: Lock<ForwardPlace>) {
        let isNew = place.withLock { place in
            defer { place = base }
            return place != base
        }
        if isNew {
            keeper.note(base.text)
            keeper.save()
        }
        readiness.caughtUp()
    }

    private func items(from cursor: String?) -> AnySignal<ForwardItem, ForwardError> {
        let style = JournalStyle(.json)
        return Signals.journalText(
            source.journal,
            .onward(from: cursor.map(JournalStart.cursor) ?? .head, follow: source.follow),
            query: source.query,
            threads: 1,
            limit: nil,
            style: style,
            tellsPlaces: true
        )
        .mapError { ForwardError.source($0.description) }
        .flatMap(.concat, limit: 1) { text in
            Signals.from(ForwardLines.items(text)).promoteFailure(to: ForwardError.self)
        }
        .eraseToAnySignal()
    }

    private static func task(_ item: ForwardItem, _ state: Lock<ForwardProgress>) -> ForwardTask {
        switch item {
        case .entry(let cursor, let json):
            let (number, stored) = state.withLock { $0.begin(cursor) }
            if let stored { return .finished(number, sequence: stored) }
            return .store(number, cursor: cursor, json: json)
        case .place(let cursor): return .finished(state.withLock { $0.pass(cursor) }, sequence: nil)
        case .report(let message): return .report(message)
        }
    }
}
