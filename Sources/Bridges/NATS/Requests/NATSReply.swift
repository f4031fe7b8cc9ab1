/// The answer to a request.
public struct NATSReply: Sendable, Hashable {
    /// Headers of the answer.
    public var headers: NATSHeaders
    /// Bytes of the answer.
    public var payload: [UInt8]

    /// An answer of bytes.
    public init(_ payload: [UInt8], headers: NATSHeaders = [:]) {
        self.payload = payload
        self.headers = headers
    }

    /// An answer of text, in UTF-8.
    public init(_ text: String, headers: NATSHeaders = [:]) {
        self.init(Array(text.utf8), headers: headers)
    }

    /// An error's text is cut to so many bytes: it may quote a request, and has to fit into a message.
    private static let maxText = 1024

    /// The answer that says that a request could not be answered.
    init(failure error: any Error) {
        let problem = error as? NATSServiceError ?? NATSServiceError(code: 500, "\(error)")
        let text = problem.text
        let end = text.utf8.index(text.startIndex, offsetBy: Self.maxText, limitedBy: text.endIndex) ?? text.endIndex
        // A header has one line. A slice ends before a scalar that does not fit as a whole.
        let line = text[..<end].split { $0.isNewline || $0 == "\0" }.joined(separator: " ")
        let shown = line.contains { $0 != " " && $0 != "\t" } ? line : "unknown error"
        self.init([], headers: [NATSServiceHeader.code: String(problem.code), NATSServiceHeader.text: shown])
    }
}
