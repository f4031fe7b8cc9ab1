import JournalBridge

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
