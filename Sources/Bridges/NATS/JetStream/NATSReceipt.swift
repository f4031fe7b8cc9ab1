/// A message for a stream, or nothing that is stored, with a number by which the sender knows it again.
@usableFromInline
package struct NATSStorable: Sendable {
    let tag: UInt64
    let message: NATSMessage?

    /// - Parameter message: `nil` for something that is passed on at once.
    @usableFromInline
    package init(tag: UInt64, _ message: NATSMessage?) {
        self.tag = tag
        self.message = message
    }
}

/// What became of a ``NATSStorable``, by its tag.
@usableFromInline
package enum NATSReceipt: Sendable {
    case stored(tag: UInt64, NATSAcknowledgement)
    /// The message is left out, and others go on.
    case refused(tag: UInt64, NATSError)
    /// There was no message.
    case passed(tag: UInt64)

    package var tag: UInt64 {
        switch self {
        case .stored(let tag, _), .refused(let tag, _), .passed(let tag): tag
        }
    }
}
