/// A stream that is to be read, and how.
struct NATSStreamReading: Sendable {
    /// The server sends at most so many messages that are not acknowledged.
    static let window: UInt64 = 256
    /// How often the server says that there is nothing to send.
    private static let heartbeat = Duration.seconds(5)
    /// After so long without a message the consumer is taken for gone.
    static let silence = Duration.seconds(16)

    let stream: String
    let subject: String?
    let hasHeadersOnly: Bool

    var operation: String { "read the stream \"\(stream)\"" }

    var flaw: String? {
        guard NATSConsumer.isName(stream) else {
            return "\"\(stream)\" is not the name of a stream (letters, digits, - and _ are allowed, at most 255)"
        }
        return subject.flatMap { NATSSubject.flaw(inPattern: $0) }
    }

    /// Makes a consumer that the server forgets when nobody listens. One acknowledgement stands for all messages before it, and
    /// only slows the server down: the time for it is so long that nothing is sent again.
    ///
    /// - Parameter isBrief: whether it is one of many consumers that follow each other. Then the server forgets it sooner.
    func creation(from start: NATSStart, to inbox: String, isBrief: Bool) -> NATSMessage {
        var settings = [
            #""deliver_subject":"\#(inbox)""#, #""ack_policy":"all""#, #""ack_wait":3600000000000"#,
            #""max_ack_pending":\#(Self.window)"#, #""replay_policy":"instant""#, #""mem_storage":true"#,
            #""idle_heartbeat":\#(Self.heartbeat.natsMilliseconds * 1_000_000)"#, start.settings,
        ]
        if isBrief { settings.append(#""inactive_threshold":500000000"#) }
        if hasHeadersOnly { settings.append(#""headers_only":true"#) }
        if let subject { settings.append(#""filter_subject":"\#(NATSConsumer.escaped(subject))""#) }
        let body = #"{"stream_name":"\#(stream)","config":{\#(settings.joined(separator: ","))}}"#
        return NATSMessage(subject: "$JS.API.CONSUMER.CREATE.\(stream)", payload: Array(body.utf8))
    }

    /// The event of the connection, if it concerns the reading.
    func news(of event: NATSEvent) -> NATSStreamNews? {
        switch event {
        case .reconnected: .reconnected
        case .refused(let error):
            error.operation.hasPrefix("publish to \"$JS.ACK.") && error.operation.contains(".\(stream).")
                ? .refused : nil
        default: nil
        }
    }

    /// A subject that nobody else uses.
    static func inbox() -> String {
        "_INBOX.\(String(UInt64.random(in: 0 ... .max), radix: 36)).\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }

    /// The failure after which reading goes on with a new consumer.
    static let interruption = NATSError.Reason.library(status: -1, text: "messages of the consumer are missing")
    /// The same, where nothing is wrong with the server, so that there is no need to wait.
    static let renewal = NATSError.Reason.library(status: -2, text: "the consumer has sent all that it may")
}
