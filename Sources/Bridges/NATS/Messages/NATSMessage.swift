/// A message, as it was received or is to be sent.
public struct NATSMessage: Sendable, Hashable {
    /// The subject that it was sent to, without wildcards.
    public var subject: String
    /// The subject on which an answer is expected, if the sender expects one.
    public var reply: String?
    /// Empty where the message has none.
    public var headers: NATSHeaders
    /// Any bytes, at most as many as the server's `max_payload` allows.
    public var payload: [UInt8]

    /// A message to be published, or one for a test.
    public init(subject: String, reply: String? = nil, headers: NATSHeaders = [:], payload: [UInt8] = []) {
        self.subject = subject
        self.reply = reply
        self.headers = headers
        self.payload = payload
    }

    /// The payload as text. Bytes that are not UTF-8 are shown as U+FFFD.
    public var text: String { String(decoding: payload, as: UTF8.self) }

    /// The bytes that count against limits: headers and payload.
    var size: Int { headers.size + payload.count }

    /// Why it cannot be sent, if so.
    var flaw: String? {
        NATSSubject.flaw(inName: subject) ?? reply.flatMap { NATSSubject.flaw(inName: $0) } ?? headers.flaw
    }
}
