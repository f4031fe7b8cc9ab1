import Bus

/// A value on its way between programs.
struct LinkMessage: Sendable {
    /// The longest text of a header, in bytes.
    static let textLimit = 256
    /// Objects and lists within each other that a value may have. A filter reads 100, and the message around the value
    /// is one of them.
    static let depthLimit = 99

    let sender: LinkSender
    /// The number of the value among those that the sender has sent on the topic.
    let sequence: UInt64
    /// When it was posted, in microseconds since 1970-01-01T00:00:00Z, by the sender's clock.
    let time: Int64
    /// The file and the line of the sender's program that posted it.
    let origin: String
    let traceparent: TraceParent?
    /// The value.
    let payload: [UInt8]
}

/// Why something that came over a link is not taken.
struct LinkFlaw: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension LinkMessage {
    /// A message that came from outside: what is not there is nil.
    init(
        sender: String?,
        name: String?,
        sequence: UInt64?,
        time: Int64?,
        origin: String?,
        traceparent: String?,
        payload: [UInt8]
    ) throws(LinkFlaw) {
        guard let sender, sender.utf8.count == 16, sender.utf8.allSatisfy(TraceParent.isDigit) else {
            throw LinkFlaw("it does not say which link sent it")
        }
        let name = name ?? "?"
        self.sender = LinkSender(id: sender, name: LinkSender.visible(name))
        guard let sequence, sequence > 0 else { throw LinkFlaw("\(self.sender) sent it without a number") }
        guard let time else { throw LinkFlaw("\(self.sender) sent it without a time") }
        self.sequence = sequence
        self.time = time
        self.origin = LinkSender.visible(origin ?? "?")
        // The standard says that a receiver ignores what is not valid.
        self.traceparent = traceparent.flatMap { TraceParent($0) }
        self.payload = payload
    }
}
