/// The treatment of a held value when the source completes.
///
/// A failure does not wait: the held value is dropped, and the failure is heard at once.
public enum AtCompletion: Sendable, Hashable {
    /// The value is sent at once, and then the completion.
    case flush
    /// The value is sent when its time comes, and then the completion.
    case wait
    /// The value is dropped, and the completion is heard at once.
    case drop
}
