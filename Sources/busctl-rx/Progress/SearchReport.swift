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

/// The progress of a search, and an estimate of the remaining time, in words.
enum SearchEstimate {
    /// - Parameters:
    ///   - shares: of each journal, as far as they are known.
    ///   - elapsed: the time since the search began.
    static func text(_ shares: [SearchProgress.Share], after elapsed: Duration) -> String? {
        let passed = shares.reduce(0) { $0 + Double($1.passed) }
        let whole = shares.reduce(0) { $0 + Double($1.whole) }
        guard whole > 0 else { return nil }
        let share = min(passed / whole, 1)
        let percent = "searched \(Int(share * 100)) %"
        // A small share is no basis for an estimate.
        guard share >= 0.01, share < 1 else { return percent }
        return "\(percent), about \(words(elapsed * ((1 - share) / share))) left"
    }

    private static func words(_ duration: Duration) -> String {
        let seconds = Int((duration / .seconds(1)).rounded())
        if seconds < 100 { return "\(max(seconds, 1)) s" }
        if seconds < 100 * 60 { return "\((seconds + 59) / 60) min" }
        return "\((seconds + 3599) / 3600) h"
    }
}
