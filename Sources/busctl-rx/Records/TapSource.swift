import Bus
import Filter
import FilterBridge
import Records
import TapBridge

/// The notification bus of another program as a source of records.
struct TapSource: Sendable {
    /// Bytes that may wait for this process in the program.
    private static let buffer = 4 << 20

    private let client: TapClient
    private let source: RecordPlan.Source
    private let plan: RecordPlan
    private let scheduler: ThreadScheduler

    init(_ path: String, _ source: RecordPlan.Source, _ plan: RecordPlan, on scheduler: ThreadScheduler) {
        client = TapClient(path: path)
        self.source = source
        self.plan = plan
        self.scheduler = scheduler
    }

    /// - Parameter isWanted: the filter, for events that the program has not filtered.
    func items(isWanted: @escaping @Sendable (Record) -> Bool) -> AnySignal<RecordItem, TailFailure> {
        let news = filterForProgram.map { filter in
            // A filter that is too costly for the program is evaluated here.
            watch(filter).catch { error in
                error.isFilterOverLimit ? watch(nil).filter { wants($0, isWanted) }.eraseToAnySignal() : fail(error)
            }.eraseToAnySignal()
        }
        return attempts(news ?? watch(nil).filter { wants($0, isWanted) }.eraseToAnySignal())
            .recordItems(from: source.name)
            .map { $0.shifted(by: source.skew) }
            .mapError { TailFailure(reason: "\(source.name): \($0.description)") }
            .eraseToAnySignal()
    }

    private func watch(_ filter: String?) -> AnySignal<TapNews, TapClientError> {
        client.watch(filter: filter, buffer: Self.buffer, on: scheduler).eraseToAnySignal()
    }

    private func fail(_ error: TapClientError) -> AnySignal<TapNews, TapClientError> {
        Signals.fail(error).eraseToAnySignal()
    }

    private func wants(_ news: TapNews, _ isWanted: (Record) -> Bool) -> Bool {
        guard case .event(let event) = news else { return true }
        return isWanted(event.record(from: source.name))
    }

    /// Further attempts, where they are wanted.
    private func attempts(_ news: AnySignal<TapNews, TapClientError>) -> AnySignal<TapNews, TapClientError> {
        guard plan.reconnects else { return news }
        return news.reconnecting(
            named: source.name,
            hasBegun: { news in if case .began = news { true } else { false } },
            isTemporary: { $0.isTemporary }
        )
    }

    /// The filter's text, if the program can evaluate it: when it applies to this source alone, and its results need
    /// not be counted.
    private var filterForProgram: String? {
        guard plan.sources.count == 1, plan.tally == nil, source.skew == 0, let filter = plan.filter else { return nil }
        let text = filter.filter.text
        return TapClient.canFilter(text) ? text : nil
    }
}
