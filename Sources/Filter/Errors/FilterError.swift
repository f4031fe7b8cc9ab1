/// The reason why an expression was refused, with the place, what was found there and what would be right.
///
/// `description` is meant for a person at a terminal: the message, the line of the expression, and a caret under the
/// place.
public struct FilterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whether the expression or a limit is in the way.
    public enum Kind: Sendable, Hashable {
        /// The expression is wrong.
        case refused
        /// The expression may be right, but is longer, deeper or costlier than ``FilterLimits`` allow.
        case overLimit
    }

    /// Tells a mistake from an expression that only needs higher limits.
    public let kind: Kind

    /// The mistake and the correction, in one sentence without a full stop.
    public let message: String

    /// 1-based.
    public let line: Int

    /// 1-based, in characters.
    public let column: Int

    /// In bytes of UTF-8 from the start of the expression.
    public let offset: Int

    private let excerpt: SourceExcerpt

    /// In characters. Messages quote the expression, which may be long.
    private static let maxMessageLength = 600

    init(_ complaint: Complaint, in source: SourceText) {
        kind = complaint.kind
        message = DisplayWidth.shortened(complaint.message, to: Self.maxMessageLength)
        offset = complaint.range.lower
        line = source.lineNumber(at: offset)
        column = source.column(at: offset)
        excerpt = SourceExcerpt(complaint.range, in: source)
    }

    public var description: String {
        "line \(line), column \(column): \(message)\(excerpt.rendered(indent: "  "))"
    }
}
