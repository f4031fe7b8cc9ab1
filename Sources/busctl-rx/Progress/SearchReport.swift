import Bus
import JournalBridge
import Timers

/// Says on a terminal how far the search of a run's journals has come, until all that there was has been read.
final class SearchReport: Sendable {
    private let searches = Lock<[SearchProgress]>([])
    private let start: ContinuousClock.Instant

    /// The time between two reports.
    private static let period = Duration.milliseconds(250)

    /// `nil` where there is nobody to report to.
    init?() {
        guard StatusLine.isPossible else { return nil }
        start = .now
    }

    /// A further journal, which one subscription searches.
    func add() -> SearchProgress {
        let search = SearchProgress()
        searches.withLock { $0.append(search) }
        return search
    }

    /// - Parameter thread: the thread that writes. While its output is not read, nothing is reported.
    func showing(on thread: ThreadScheduler) -> any Disposable {
        Signals.interval(every: Self.period)
            .deliver(on: thread, limit: 1, overflow: .dropNewest)
            .take(while: { [searches] _ in searches.withLock { $0.isEmpty || $0.contains { !$0.isOver } } })
            .subscribe(next: { [self] _ in show() }, completed: { StatusLine.hide() })
    }

    private func show() {
        let shares = searches.withLock { $0 }.compactMap { $0.ask() }
        guard let text = SearchEstimate.text(shares, after: start.duration(to: .now)) else { return }
        StatusLine.show("busctl-rx: \(text)")
    }
}
