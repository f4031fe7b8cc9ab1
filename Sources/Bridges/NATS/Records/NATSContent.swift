public import Records

/// A message of NATS as the content of a record.
///
/// The record has these fields, each where the message has it:
///
/// | field | what it holds |
/// | --- | --- |
/// | `subject` | the subject that the message was sent to |
/// | `stream` | the stream of JetStream that it was read from |
/// | `reply` | the subject on which an answer is expected |
/// | `headers` | an object with the headers by name; a name with several values has a list |
///
/// If the payload is a JSON object, its members are fields, too, and message and severity are found in them as
/// `JSONObject` says. Any other payload is the message.
public struct NATSContent: RecordContent {
    private let envelope: RecordFields
    private let object: JSONObject?
    /// The subject that the message was published on.
    public let subject: String

    /// The content of a record that is a message.
    public init(_ message: NATSMessage) { self.init(message, stream: nil) }

    /// A message of a stream. Its reply subject, which is for acknowledgements, is left out.
    public init(_ delivery: NATSDelivery) { self.init(delivery.message, stream: delivery.stream) }

    private init(_ message: NATSMessage, stream: String?) {
        subject = message.subject
        object = message.payload.first == UInt8(ascii: "{") ? JSONObject(message.payload) : nil
        var fields = FieldStorage.Builder()
        fields.append(Self.subjectName, text: message.subject.utf8)
        if let stream {
            fields.append(Self.streamName, text: stream.utf8)
        } else if let reply = message.reply {
            fields.append(Self.replyName, text: reply.utf8)
        }
        if !message.headers.isEmpty { fields.append(Self.headersName, .json(message.headers.json)) }
        if object == nil, !message.payload.isEmpty { fields.setMessage(message.payload) }
        envelope = RecordFields(fields, severity: object?.severity)
    }

    private static let subjectName = Array("subject".utf8)
    private static let streamName = Array("stream".utf8)
    private static let replyName = Array("reply".utf8)
    private static let headersName = Array("headers".utf8)

    /// When it happened, if a member of its payload says so.
    package var time: RecordTime? { object?.time }

    public var severity: Severity? { envelope.severity }

    public var speaker: String? { subject }

    public var footprint: Int { envelope.footprint + (object?.footprint ?? 0) }

    public func withMessage<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        object?.withMessage(body) ?? envelope.withMessage(body)
    }

    public func withFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        guard let object else { return envelope.withFields(body) }
        return envelope.withFields { own in
            object.withFields { members in
                withUnsafeTemporaryAllocation(of: RecordField.self, capacity: own.count + members.count) { all in
                    for (index, field) in own.enumerated() { all.initializeElement(at: index, to: field) }
                    for (index, field) in members.enumerated() {
                        all.initializeElement(at: own.count + index, to: field)
                    }
                    return body(UnsafeBufferPointer(all))
                }
            }
        }
    }
}

extension NATSHeaders {
    /// An object with the values by name.
    var json: [UInt8] {
        // Names with their values, in the order in which names come first. One pass: a sender chooses how many names there are.
        var groups: [(name: String, values: [String])] = []
        var places: [String: Int] = [:]
        for field in fields {
            if let place = places[field.name] {
                groups[place].values.append(field.value)
            } else {
                places[field.name] = groups.count
                groups.append((field.name, [field.value]))
            }
        }
        var output = OutputBuffer(capacity: 256)
        output.append("{")
        for (index, (name, values)) in groups.enumerated() {
            if index > 0 { output.append(",") }
            output.append(json: name)
            output.append(":")
            if values.count > 1 { output.append("[") }
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(",") }
                output.append(json: value)
            }
            if values.count > 1 { output.append("]") }
        }
        output.append("}")
        return output.withBytes { Array($0) }
    }
}
