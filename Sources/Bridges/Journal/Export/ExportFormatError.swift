/// A stream that does not keep to the journal export format, with the place where it stops doing so.
public struct ExportFormatError: Error, Sendable, Hashable {
    /// The name of the stream, such as a path, or `standard input`.
    public let stream: String
    /// Counted from 0.
    public let byteOffset: UInt64
    /// Counted from 1, by line feeds; those inside binary values count too.
    public let line: UInt64
    /// The input that was found there and the input that was expected instead, in words.
    public let problem: String

    package init(stream: String, byteOffset: UInt64, line: UInt64, problem: String) {
        self.stream = stream
        self.byteOffset = byteOffset
        self.line = line
        self.problem = problem
    }
}

extension ExportFormatError: CustomStringConvertible {
    public var description: String {
        "cannot read \(stream) as a journal export: \(problem) (line \(line), byte \(byteOffset)). "
            + "The format is what journalctl -o export prints."
    }
}
