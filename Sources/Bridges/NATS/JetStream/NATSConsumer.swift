import JSONScan

/// A durable consumer of a stream of JetStream: the server keeps its position and its acknowledgements under a name. After a power
/// failure of the server's machine these can be two minutes old, as the messages; see ``NATSAcknowledgement``.
///
/// All that consume under one name share the work: each message goes to one of them.
public struct NATSConsumer: Sendable, Hashable {
    /// The stream's name.
    public var stream: String
    /// The durable name: the server keeps the consumer's place under it.
    public var name: String
    /// Which subjects of the stream; nil for all. Wildcards are allowed.
    public var subject: String?
    /// The beginning for a new consumer. A consumer that the server has already goes on from its position.
    public var start = NATSStart.first
    /// How long a message may take from being sent by the server to its acknowledgement. Then it is sent again.
    public var acknowledgeWithin: Duration = .seconds(30)
    /// How many messages may be without acknowledgement. The server sends no more until some are acknowledged.
    public var maxUnacknowledged = 256
    /// How long the server waits before it sends a message again that could not be handled.
    public var redeliverAfter: Duration = .seconds(1)
    /// How often a message is sent at most; nil for no limit.
    public var maxDeliveries: Int?

    /// A consumer of all messages of a stream, or of those with a subject.
    public init(stream: String, name: String, subject: String? = nil) {
        self.stream = stream
        self.name = name
        self.subject = subject
    }

    /// ``maxUnacknowledged`` within what is allowed.
    @usableFromInline var window: Int { max(1, min(maxUnacknowledged, 1_000_000)) }

    var operation: String { "consume the stream \"\(stream)\" as \"\(name)\"" }

    /// Where the server sends the messages to.
    var deliverySubject: String { "_DELIVER.\(stream).\(name)" }

    var flaw: String? {
        for text in [stream, name] where !Self.isName(text) {
            return
                "\"\(text)\" is not the name of a stream or a consumer (letters, digits, - and _ are allowed, at most 255)"
        }
        guard (1...1_000_000).contains(maxUnacknowledged) else {
            return "maxUnacknowledged is \(maxUnacknowledged), which is not from 1 to 1,000,000"
        }
        if let maxDeliveries, maxDeliveries < 1 { return "maxDeliveries is \(maxDeliveries), and at least 1" }
        return subject.flatMap { NATSSubject.flaw(inPattern: $0) }
    }

    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    /// Makes the consumer, or finds the one that there is with the same settings.
    ///
    /// - Parameter start: the settings of its beginning.
    func creation(from start: String) -> NATSMessage {
        var settings = [
            "\"durable_name\":\"\(name)\"", "\"deliver_subject\":\"\(deliverySubject)\"",
            "\"deliver_group\":\"\(name)\"", "\"ack_policy\":\"explicit\"", "\"replay_policy\":\"instant\"",
            "\"ack_wait\":\(acknowledgeWithin.natsMilliseconds * 1_000_000)",
            "\"max_ack_pending\":\(maxUnacknowledged)", start,
        ]
        if let subject { settings.append("\"filter_subject\":\"\(Self.escaped(subject))\"") }
        if let maxDeliveries { settings.append("\"max_deliver\":\(maxDeliveries)") }
        let body = "{\"stream_name\":\"\(stream)\",\"config\":{\(settings.joined(separator: ","))}}"
        return NATSMessage(
            subject: "$JS.API.CONSUMER.DURABLE.CREATE.\(stream).\(name)",
            payload: Array(body.utf8)
        )
    }

    /// The settings of the beginning in the server's answer about a consumer; nil if there are none.
    static func start(in answer: [UInt8]) -> String? {
        answer.withUnsafeBytes { bytes in
            var members = JSONMembers(bytes)
            while let member = members.next() {
                guard member.isNamed("config") else { continue }
                var (settings, start) = (JSONMembers(member.value), [String]())
                while let setting = settings.next() {
                    let name = JetStreamAnswer.text(setting.name)
                    guard ["deliver_policy", "opt_start_seq", "opt_start_time"].contains(name) else { continue }
                    start.append("\"\(name)\":\(JetStreamAnswer.text(setting.value))")
                }
                return start.isEmpty ? nil : start.joined(separator: ",")
            }
            return nil
        }
    }

    /// A subject has no control characters, so two characters remain that JSON escapes.
    static func escaped(_ subject: String) -> String {
        subject.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
