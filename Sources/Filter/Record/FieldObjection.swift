/// Why a field can never have a value; see ``FieldSchema/objection(to:in:)``.
public struct FieldObjection: Sendable, Hashable {
    /// A clause for a warning, without a full stop: "the names of units end in .service, .socket and so on".
    public let reason: String

    /// The value that was probably meant.
    public let correction: String?

    /// An objection for ``FieldSchema/objection(to:in:)``; without `correction` if no better value is known.
    public init(reason: String, correction: String? = nil) {
        self.reason = reason
        self.correction = correction
    }
}
