import Glibc

/// The waits between attempts that fail, as a ``Backoff`` says.
package struct BackoffWaits: Sendable {
    private let backoff: Backoff
    private var random: SeededRandom
    /// Failures in a row.
    private var failures = 0

    package init(_ backoff: Backoff) {
        self.backoff = backoff
        random = SeededRandom(seed: backoff.seed)
    }

    /// An attempt has failed; returns how long to wait for the next, in nanoseconds, or nil when there is none.
    package mutating func failed(after lifetime: Duration) -> Int64? {
        // A spell of no length would always have been quiet, and the waits would never grow.
        if lifetime >= max(backoff.quietSpell, .nanoseconds(1)) { failures = 0 }
        guard failures < backoff.limit else { return nil }
        defer { failures += 1 }
        let longest = max(0, backoff.longest.saturatedNanoseconds)
        let first = Double(max(0, backoff.first.saturatedNanoseconds))
        let grown = first * pow(max(1, backoff.factor), Double(failures))
        // Not a number when zero was multiplied by infinity.
        let wait = grown.isNaN ? 0 : grown < Double(longest) ? Int64(grown) : longest
        let share = backoff.jitter.isNaN ? 0 : min(max(0, backoff.jitter), 1)
        let chance = min(Int64(clamping: UInt64(Double(wait) * share)), wait)
        return wait - chance + Int64.random(in: 0...chance, using: &random)
    }
}
