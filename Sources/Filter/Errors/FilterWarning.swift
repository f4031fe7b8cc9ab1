/// Something in an expression that is allowed and probably not meant, such as a comparison that can never hold.
///
/// `description` is meant for a person at a terminal: the message, the line of the expression, and a caret under the
/// place.
public struct FilterWarning: Sendable, Hashable, CustomStringConvertible {
    /// Further warnings of an expression are left out.
    static let limit = 16

    /// The probable mistake and the correction, in one sentence without a full stop.
    public let message: String

    /// The part of the expression that the warning is about, in bytes of UTF-8 from its start.
    public let range: Range<Int>

    /// 1-based.
    public let line: Int

    /// 1-based, in characters.
    public let column: Int

    private let excerpt: SourceExcerpt

    init(_ complaint: Complaint, in source: SourceText) {
        let error = FilterError(complaint, in: source)
        message = error.message
        range = complaint.range.lower..<complaint.range.upper
        line = error.line
        column = error.column
        excerpt = SourceExcerpt(complaint.range, in: source)
    }

    public var description: String {
        "line \(line), column \(column): \(message)\(excerpt.rendered(indent: "  "))"
    }
}
