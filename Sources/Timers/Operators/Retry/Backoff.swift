/// How long to wait before each further attempt.
///
/// The waits grow from `first` by `factor` until they reach `longest`, each shortened at random so that many who failed
/// together do not come back together. After `quietSpell` without a failure they begin anew.
public struct Backoff: Sendable, Hashable, CustomStringConvertible {
    /// The first wait.
    public var first: Duration
    /// How many times the one before each wait is; below one counts as one.
    public var factor: Double
    /// What no wait exceeds.
    public var longest: Duration
    /// How much of each wait is left to chance: from 0, nothing, to 1, all of it. The rest is waited in any case.
    public var jitter: Double
    /// How many further attempts there are on end, without a quiet spell between them.
    public var limit: Int
    /// An attempt that fails no sooner than this after it began counts as the first to do so.
    public var quietSpell: Duration
    /// Makes the waits the same in each subscription; without one they are different in each.
    public var seed: UInt64?

    /// Waits that grow.
    ///
    /// - Parameters:
    ///   - first: the first wait.
    ///   - factor: how many times the one before each wait is; below one counts as one.
    ///   - longest: what no wait exceeds.
    ///   - jitter: how much of each wait is left to chance, from 0 to 1.
    ///   - limit: how many further attempts there are on end.
    ///   - quietSpell: how long an attempt must go without a failure for the waits to begin anew; `longest` unless told.
    ///   - seed: makes the waits the same in each subscription.
    public static func exponential(
        from first: Duration = .milliseconds(100),
        factor: Double = 2,
        upTo longest: Duration = .seconds(30),
        jitter: Double = 0.5,
        limit: Int = .max,
        quietSpell: Duration? = nil,
        seed: UInt64? = nil
    ) -> Backoff {
        Backoff(
            first: first,
            factor: factor,
            longest: longest,
            jitter: jitter,
            limit: limit,
            quietSpell: quietSpell ?? longest,
            seed: seed
        )
    }

    /// The same wait each time.
    ///
    /// - Parameters:
    ///   - wait: how long.
    ///   - jitter: how much of it is left to chance, from 0 to 1.
    ///   - limit: how many further attempts there are on end.
    ///   - quietSpell: how long an attempt must go without a failure for `limit` to count anew; `wait` unless told.
    ///   - seed: makes the waits the same in each subscription.
    public static func constant(
        _ wait: Duration,
        jitter: Double = 0,
        limit: Int = .max,
        quietSpell: Duration? = nil,
        seed: UInt64? = nil
    ) -> Backoff {
        exponential(from: wait, factor: 1, upTo: wait, jitter: jitter, limit: limit, quietSpell: quietSpell, seed: seed)
    }

    public var description: String {
        first == longest ? "\(first)" : "\(first) to \(longest)"
    }
}
