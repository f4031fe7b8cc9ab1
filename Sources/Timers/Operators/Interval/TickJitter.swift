/// How far an interval's ticks are put off at random, so that many intervals do not beat together.
public struct TickJitter: Sendable, Hashable {
    enum Kind { case none, each, once }

    let kind: Kind
    let longest: Duration
    let seed: UInt64?

    /// Not at all.
    public static let none = TickJitter(kind: .none, longest: .zero, seed: nil)

    /// A different time for each tick, below `longest`. If `longest` is more than a period, the period is the bound.
    ///
    /// - Parameters:
    ///   - longest: the bound.
    ///   - seed: makes the times the same in each subscription; without one they are different in each.
    public static func each(below longest: Duration, seed: UInt64? = nil) -> TickJitter {
        TickJitter(kind: .each, longest: longest, seed: seed)
    }

    /// The same time for all ticks of a subscription, below `longest`. If `longest` is more than a period, the period
    /// is the bound. With a seed taken from the machine, each machine of a fleet keeps to a time of its own.
    ///
    /// - Parameters:
    ///   - longest: the bound.
    ///   - seed: makes the time the same in each subscription; without one it is different in each.
    public static func once(below longest: Duration, seed: UInt64? = nil) -> TickJitter {
        TickJitter(kind: .once, longest: longest, seed: seed)
    }
}
