/// The line of the expression that an error speaks of, and a line of carets to print below it.
struct SourceExcerpt: Sendable, Hashable {
    private let text: String
    private let carets: String

    /// Terminal columns shown on each side of the place when the line is long.
    private static let reach = 40

    init(_ range: SourceRange, in source: SourceText) {
        let line = source.line(at: range.lower)
        let upper = max(range.lower, min(range.upper, line.upper))
        let before = Array(source.text(source.end(of: SourceRange(line.lower, range.lower))))
        let marked = Array(source.text(source.beginning(of: SourceRange(range.lower, upper))))
        let after = Array(source.text(source.beginning(of: SourceRange(upper, line.upper))))

        let shownBefore = before.suffix(DisplayWidth.count(in: before.reversed(), within: Self.reach))
        let shownMarked = marked.prefix(DisplayWidth.count(in: marked, within: Self.reach))
        let reach = marked.count > shownMarked.count ? 0 : Self.reach
        let shownAfter = after.prefix(DisplayWidth.count(in: after, within: reach))
        let cutBefore = shownBefore.count < before.count
        let cutAfter = shownMarked.count + shownAfter.count < marked.count + after.count

        text =
            (cutBefore ? "…" : "") + (shownBefore + shownMarked + shownAfter).map(DisplayWidth.printable).joined()
            + (cutAfter ? "…" : "")
        // A tab stays a tab in the second line, so the terminal's tab stops fall alike in both.
        let padding = shownBefore.map { $0 == "\t" ? "\t" : String(repeating: " ", count: DisplayWidth.columns($0)) }
        let width = shownMarked.reduce(0) { $0 + DisplayWidth.columns($1) }
        carets = (cutBefore ? " " : "") + padding.joined() + String(repeating: "^", count: max(1, width))
    }

    /// Below a message; nothing when there is no text to show.
    func rendered(indent: String) -> String {
        text.isEmpty ? "" : "\n\(indent)\(text)\n\(indent)\(carets)"
    }
}
