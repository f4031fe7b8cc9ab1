import Glibc

/// How long to wait before each further attempt.
///
/// The waits grow from `initial` by `factor` until they reach `max`, each shortened at random so that many clients that
/// failed together do not retry together. After `resetAfter` without a failure they start again from `initial`.
public struct Backoff: Sendable, Hashable, CustomStringConvertible {
    /// The first wait.
    public var initial: Duration
    /// The factor from one wait to the next; below one counts as one.
    public var factor: Double
    /// The upper bound of every wait.
    public var max: Duration
    /// How much of each wait is random: from 0, nothing, to 1, all of it. The rest is waited in any case.
    public var jitter: Double
    /// How many further attempts there are in a row, without a reset between them.
    public var limit: Int
    /// If an attempt fails no sooner than this after it began, the failure counts as the first.
    public var resetAfter: Duration
    /// Makes the waits the same in each subscription; without a seed they are different in each.
    public var seed: UInt64?

    /// Waits that grow.
    ///
    /// - Parameters:
    ///   - initial: the first wait.
    ///   - factor: the factor from one wait to the next; below one counts as one.
    ///   - max: the upper bound of every wait.
    ///   - jitter: how much of each wait is random, from 0 to 1.
    ///   - limit: how many further attempts there are in a row.
    ///   - resetAfter: how long an attempt must go without a failure for the waits to start again; `max` unless given.
    ///   - seed: makes the waits the same in each subscription.
    public static func exponential(
        from initial: Duration = .milliseconds(100),
        factor: Double = 2,
        upTo max: Duration = .seconds(30),
        jitter: Double = 0.5,
        limit: Int = .max,
        resetAfter: Duration? = nil,
        seed: UInt64? = nil
    ) -> Backoff {
        Backoff(
            initial: initial,
            factor: factor,
            max: max,
            jitter: jitter,
            limit: limit,
            resetAfter: resetAfter ?? max,
            seed: seed
        )
    }

    /// The same wait each time.
    ///
    /// - Parameters:
    ///   - wait: how long to wait.
    ///   - jitter: how much of it is random, from 0 to 1.
    ///   - limit: how many further attempts there are in a row.
    ///   - resetAfter: how long an attempt must go without a failure for `limit` to count anew; `wait` unless given.
    ///   - seed: makes the waits the same in each subscription.
    public static func constant(
        _ wait: Duration,
        jitter: Double = 0,
        limit: Int = .max,
        resetAfter: Duration? = nil,
        seed: UInt64? = nil
    ) -> Backoff {
        exponential(from: wait, factor: 1, upTo: wait, jitter: jitter, limit: limit, resetAfter: resetAfter, seed: seed)
    }

    public var description: String {
        initial == max ? "\(initial)" : "\(initial) to \(max)"
    }
}

/// The waits between attempts that fail, as a ``Backoff`` says.
package struct BackoffWaits: Sendable {
    private let backoff: Backoff
    private var random: SeededRandom
    /// Failures in a row.
    private var failures: Int

    /// - Parameter failures: how many there were in a row already.
    package init(_ backoff: Backoff, failures: Int = 0) {
        self.backoff = backoff
        self.failures = failures
        random = SeededRandom(seed: backoff.seed.map { $0 &+ UInt64(failures) })
    }

    /// An attempt has failed; returns how long to wait for the next, in nanoseconds, or nil when there is none.
    package mutating func failed(after lifetime: Duration) -> Int64? {
        // After no time there would always be a reset, and the waits would never grow.
        if lifetime >= max(backoff.resetAfter, .nanoseconds(1)) { failures = 0 }
        guard failures < backoff.limit else { return nil }
        defer { failures += 1 }
        let longest = max(0, backoff.max.saturatedNanoseconds)
        let first = Double(max(0, backoff.initial.saturatedNanoseconds))
        let grown = first * pow(max(1, backoff.factor), Double(failures))
        // Not a number when zero was multiplied by infinity.
        let wait = grown.isNaN ? 0 : grown < Double(longest) ? Int64(grown) : longest
        let share = backoff.jitter.isNaN ? 0 : min(max(0, backoff.jitter), 1)
        let chance = min(Int64(clamping: UInt64(Double(wait) * share)), wait)
        return wait - chance + Int64.random(in: 0...chance, using: &random)
    }
}
