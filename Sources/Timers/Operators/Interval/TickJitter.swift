/// How far an interval's ticks are put off at random, so that many intervals do not beat together.
public struct TickJitter: Sendable, Hashable {
    enum Kind { case none, each, once }

    let kind: Kind
    let longest: Duration
    let seed: UInt64?

    /// Not at all.
    public static let none = TickJitter(kind: .none, longest: .zero, seed: nil)

    /// Each tick by another time, below `longest`, which counts as a period if it is more.
    ///
    /// - Parameters:
    ///   - longest: the bound.
    ///   - seed: makes the times the same in each subscription; without one they are different in each.
    public static func each(below longest: Duration, seed: UInt64? = nil) -> TickJitter {
        TickJitter(kind: .each, longest: longest, seed: seed)
    }

    /// All ticks of a subscription by the same time, below `longest`, which counts as a period if it is more. With a
    /// seed taken from the machine, each machine of a fleet keeps to a time of its own.
    ///
    /// - Parameters:
    ///   - longest: the bound.
    ///   - seed: makes the time the same in each subscription; without one it is different in each.
    public static func once(below longest: Duration, seed: UInt64? = nil) -> TickJitter {
        TickJitter(kind: .once, longest: longest, seed: seed)
    }
}
