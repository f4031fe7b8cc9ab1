/// An error in a marble line: the place, and the reason.
public struct MarbleError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The line as it was given.
    public let line: String
    /// The character at which reading ended, counted from one.
    public let column: Int
    /// Why it cannot be read, and what to write instead.
    public let reason: String

    init(_ line: String, at column: Int, _ reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    public var description: String { "cannot read the marbles \"\(line)\" at character \(column): \(reason)" }
}
