/// How much an expression may ask for. An expression beyond a limit is refused when it is compiled, or stopped with an
/// error while it is evaluated.
public struct FilterLimits: Sendable, Hashable {
    /// Code points in an expression.
    public var length = 100_000

    /// Macros such as `all` and `map` within each other.
    public var loopNesting = 6

    /// What one evaluation may cost. A read field, a comparison or a function call costs 1, a list 10, a map 30; text
    /// that is searched, copied or compared costs 1 for every ten bytes, a regular expression that times a quarter of
    /// its length. An expression that costs more whatever the record is refused.
    public var cost = 10_000_000

    /// Bytes that one evaluation may make, such as joined text and lists.
    public var memory = 16 << 20

    /// Bytes that all of an expression's regular expressions together may take.
    public var regularExpressionMemory = 32 << 20

    public init() {}

    /// Levels of parentheses, operators and calls within each other: the passes that recurse over an expression are
    /// made for this depth.
    public static let depth = 250

    /// Regular expressions in an expression.
    public static let regularExpressions = 128
}
