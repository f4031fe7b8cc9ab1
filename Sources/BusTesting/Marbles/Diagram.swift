public import Bus

/// A marble diagram that is a test: lines for the inputs, and one for the expected output.
///
/// ```swift
/// import Bus
/// import BusTesting
///
/// let merging = Diagram(
///     """
///     a      --1-------2--|
///     b      ----5--6-------7|
///     merge  --1-5--6--2----7|
///     """
/// )
/// assert(merging.violations { $0.hot("a").merge($0.hot("b")) } == [])
/// ```
///
/// Each line is a name, spaces, and signs. All lines share their columns. A column is a moment, one ``step`` after
/// the column before it:
///
/// | sign | means |
/// | --- | --- |
/// | `-` | nothing happens |
/// | `7`, `a` | a value |
/// | `'12'` | a value whose text is longer than a character, or is itself a sign |
/// | `|` | completion |
/// | `x`, `x'late'` | a failure whose text is "x", or "late" |
/// | `(12|)` | these in this order, all of them at the moment of the `(` |
/// | `^` | here it is subscribed to |
/// | `!` | here the subscription ends, or is disposed of |
/// | a space, before the first sign | like `-` |
///
/// The inputs are the lines that the test asks for by name, as hot or as cold sources. A cold source's line starts
/// with its first sign, wherever that stands, so it can be drawn where it is expected to be subscribed to. A further
/// line with a source's name and only `^` and `!` says when that source must be subscribed to; there may be one for
/// every subscription. The remaining line is the expected output: the signal is subscribed to at its `^`, or else at
/// the first column, before anything is sent; at its `!`, after the events of that moment, it is disposed of.
///
/// Values and failures are compared as text. Time goes on until the end of the longest line; a shorter line means
/// that nothing more comes.
public struct Diagram: Sendable {
    /// How long a column lasts.
    public let step: Duration
    private let lines: [DiagramLine]

    /// - Parameters:
    ///   - text: the lines.
    ///   - step: how long a column lasts.
    public init(_ text: String, step: Duration = .milliseconds(1)) {
        self.step = step
        lines = DiagramLine.lines(of: text)
    }

    /// Runs the diagram in virtual time and reports, in words, every difference from the drawing: other events or
    /// other times, subscriptions that are drawn differently, a breach of the delivery contract, sources that are
    /// still held after the end, a line that cannot be read. Empty when there is none.
    ///
    /// - Parameter build: makes the signal under test from the diagram's sources.
    public func violations<Output: Signal>(_ build: (DiagramSources) -> Output) -> [String] {
        let sources = DiagramSources(lines: lines, step: step)
        let output = build(sources)
        var problems = sources.problems
        let (expected, further) = expectation(sources.names)
        problems += further
        guard problems.isEmpty, let expected else { return problems }

        let run = DiagramRun(expected: expected, steps: lines.map(\.length).max() ?? 0, step: step)
        return run.violations(output, from: sources)
    }

    /// The line that no source was made from.
    private func expectation(_ names: Set<String>) -> (line: DiagramLine?, problems: [String]) {
        let rest = lines.filter { !names.contains($0.name) }
        switch rest.count {
        case 0: return (nil, ["the diagram has no line for what must come out"])
        case 1:
            if let error = rest[0].error { return (nil, [error.description]) }
            return (rest[0], [])
        default:
            let names = rest.map { "\"\($0.name)\"" }.joined(separator: " and ")
            return (nil, ["the lines \(names) are no sources; only one can be what must come out"])
        }
    }
}
