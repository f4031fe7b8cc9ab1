/// A failure that a marble line can stand for.
public protocol MarbleFailure: Error {
    /// The failure drawn as `x`, with the text "x", or as `x'text'`; nil when no failure has that name.
    init?(marble text: String)
}

extension TestFailure: MarbleFailure {
    public init(marble text: String) {
        self.init(stringLiteral: text)
    }
}

// A signal that cannot fail has no line with an `x`.
extension Never: MarbleFailure {
    public init?(marble text: String) {
        nil
    }
}
