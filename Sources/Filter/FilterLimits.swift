/// Limits for an expression. An expression beyond a limit is refused when it is compiled, or stopped with an error
/// while it is evaluated.
public struct FilterLimits: Sendable, Hashable {
    /// Code points in an expression.
    public var length = 100_000

    /// Macros such as `all` and `map` within each other.
    public var loopNesting = 6

    /// The cost that one evaluation may have. A read field, a comparison or a function call costs 1, a list 10, a map
    /// 30. Text that is compared, joined or searched costs 1 for every ten bytes. A function that looks at each
    /// character by itself, such as `trim`, `timestamp` or the reading of JSON, costs 1 a byte; `duration` costs 5 a
    /// byte. A regular expression costs a tenth of the instructions of its program for every byte; a regular
    /// expression from a record also costs its compilation: 5,000 and 50 for each instruction. An expression that
    /// costs more for every record is refused.
    ///
    /// A unit takes 5 to 20 ns on a common machine, and up to 120 ns where pattern and text are chosen to be slow.
    public var cost = 10_000_000

    /// The average cost that an evaluation may have, in a run of evaluations that shares a ``FilterBudget``.
    public var averageCost = 1_000_000

    /// The bytes that one evaluation may allocate, for example for joined text and lists.
    public var memory = 16 << 20

    /// Bytes that all of an expression's regular expressions together may take.
    public var regularExpressionMemory = 32 << 20

    /// The instructions that the programs of all of an expression's regular expressions together may have, as
    /// estimated from the patterns: 2 to 4 for a character, 48 for `.`, 1,250 for a Unicode class such as `\pL`, all
    /// of it times the number of a repetition. A single regular expression may have half of that, and one that comes
    /// from a record 2,000.
    public var regularExpressionSize = 40_000

    /// The defaults. Expressions from people who are not trusted need lower ones.
    public init() {}

    /// Levels of parentheses, operators and calls within each other. The recursive passes over an expression are made
    /// for this depth.
    public static let depth = 250

    /// Regular expressions in an expression.
    public static let regularExpressions = 128
}
