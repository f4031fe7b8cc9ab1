import Bus
import Filter
import Glibc
import Records

/// The texts of one event, made as they are needed, in memory that is used again for the next.
final class EventText {
    private let writer: JSONValueWriter
    // One thread uses these. Code that is called while they are lent, a filter or the writer of a reply, does not
    // know of them.
    @exclusivity(unchecked) private var value = OutputBuffer(capacity: 1024)
    @exclusivity(unchecked) private var origin = OutputBuffer(capacity: 128)
    @exclusivity(unchecked) private var encoded: EncodedValue?
    @exclusivity(unchecked) private var topic = ""
    @exclusivity(unchecked) private var scope = ""
    @exclusivity(unchecked) private var type = ""
    @exclusivity(unchecked) private var name: TopicName?
    /// The names that a client of the compact framing knows.
    @exclusivity(unchecked) private var names = NamesTable()
    /// Nanoseconds from the machine's start to 1970; nil when it has to be looked up.
    @exclusivity(unchecked) private var epoch: Int64?
    /// The names of types, which take longer to make than all the rest.
    private var typeNames: [ObjectIdentifier: String] = [:]
    private static let maxTypeNames = 1000
    /// The type of the event before, which the next one has most often.
    @exclusivity(unchecked) private var lastType: ObjectIdentifier?
    /// The origin of the cached text.
    @exclusivity(unchecked) private var lastOrigin: OriginPlace?

    init(_ bounds: EncodingBounds) {
        writer = JSONValueWriter(EncodingRun(bounds, "none"))
    }

    /// Turns to another event.
    func begin(_ event: Envelope<any Sendable>) {
        value.removeAll()
        encoded = nil
        name = event.topic
        topic = event.topic.text
        scope = event.scope
        let type = Swift.type(of: event.value)
        if lastType != ObjectIdentifier(type) {
            lastType = ObjectIdentifier(type)
            self.type = typeName(of: type)
        }
        write(event.origin)
    }

    private func write(_ new: CodeLocation) {
        let place = OriginPlace(new)
        if let place, place == lastOrigin { return }
        lastOrigin = place
        origin.removeAll()
        origin.append(new.file)
        origin.append(":")
        origin.append(decimal: UInt64(new.line))
    }

    /// The wall clock may have been set.
    func forgetClock() { epoch = nil }

    /// Makes the value's JSON, unless it is made.
    func encode(_ content: any Sendable) {
        guard encoded == nil, let name else { return }
        encoded = EncodedValue.append(content, of: name, with: writer, to: &value)
    }

    /// About how many bytes the event takes.
    var size: Int { value.count + origin.count + topic.utf8.count + scope.utf8.count + type.utf8.count + 256 }

    /// Lends the event to a filter.
    func withRecord<Result>(
        _ event: Envelope<any Sendable>,
        _ body: (borrowing TapRecord) -> Result
    ) -> Result {
        let time = microseconds(event)
        return topic.withUTF8 { topic in
            scope.withUTF8 { scope in
                type.withUTF8 { type in
                    origin.withBytes { origin in
                        value.withBytes { value in
                            body(
                                TapRecord(
                                    topic: UnsafeRawBufferPointer(topic),
                                    sequence: event.sequence,
                                    time: time,
                                    scope: UnsafeRawBufferPointer(scope),
                                    origin: origin,
                                    type: UnsafeRawBufferPointer(type),
                                    value: value.isEmpty ? nil : value
                                )
                            )
                        }
                    }
                }
            }
        }
    }

    /// Writes the event in a framing; without its value, if that has more bytes than the limit.
    func append(
        _ event: Envelope<any Sendable>,
        to output: inout OutputBuffer,
        in framing: TapFraming,
        valueLimit: Int
    ) {
        if framing == .compact, let number = namesNumber(event, &output) {
            appendFrame(event, number, to: &output, valueLimit)
        } else {
            framing.append(to: &output) { appendMessage(event, to: &$0, valueLimit) }
        }
    }

    private func appendMessage(_ event: Envelope<any Sendable>, to output: inout OutputBuffer, _ valueLimit: Int) {
        let time = microseconds(event)
        VarlinkReply.append(to: &output, continues: true) { members in
            members.add("kind", "event")
            members.add("topic", topic)
            members.add("sequence", event.sequence)
            members.add("time", time)
            members.add("uptime", event.uptimeNanoseconds)
            members.add("scope", scope)
            origin.withBytes { members.add("origin", text: $0) }
            members.add("type", type)
            addContent(to: &members, valueLimit)
        }
    }

    private func appendFrame(
        _ event: Envelope<any Sendable>,
        _ number: UInt32,
        to output: inout OutputBuffer,
        _ valueLimit: Int
    ) {
        let time = microseconds(event)
        CompactFrame.append(.event, to: &output) { output in
            output.append(littleEndian: number)
            output.append(littleEndian: event.sequence)
            output.append(littleEndian: time)
            output.append(littleEndian: event.uptimeNanoseconds)
            ReplyMembers.append(to: &output) { addContent(to: &$0, valueLimit) }
        }
    }

    /// The number of the event's names, which are sent if the client does not know them. Nil for names that cannot be numbered: they
    /// are too long for a frame, or their origin has no place.
    private func namesNumber(_ event: Envelope<any Sendable>, _ output: inout OutputBuffer) -> UInt32? {
        guard let key = NamesTable.Key(event) else { return nil }
        if let number = names.number(of: key) { return number }
        var text = OutputBuffer(capacity: 256)
        ReplyMembers.append(to: &text) { members in
            members.add("topic", topic)
            members.add("scope", scope)
            origin.withBytes { members.add("origin", text: $0) }
            members.add("type", type)
        }
        let size = CompactFrame.namesHeaderSize + text.count
        guard size <= CompactFrame.oneNamesSizeLimit else { return nil }
        let number = names.add(key, size: size)
        CompactFrame.append(.names, to: &output) { output in
            output.append(littleEndian: number)
            text.withBytes { output.append($0) }
        }
        return number
    }

    /// The members with the value.
    private func addContent(to members: inout ReplyMembers, _ valueLimit: Int) {
        switch encoded {
        case _ where value.count > valueLimit: members.add("truncated", true)
        case .json: value.withBytes { members.add("value", json: $0) }
        case .text(let isCut):
            value.withBytes { members.add("text", json: $0) }
            if isCut { members.add("truncated", true) }
        case .tooLarge: members.add("truncated", true)
        case .failed(let reason): members.add("error", String(reason.prefix(500)))
        case nil: break
        }
    }

    private func microseconds(_ event: Envelope<any Sendable>) -> Int64 {
        let epoch = self.epoch ?? ClockReading.of(CLOCK_REALTIME) - MonotonicTime.nanoseconds
        self.epoch = epoch
        return (epoch + event.uptimeNanoseconds) / 1000
    }

    private func typeName(of type: Any.Type) -> String {
        if let known = typeNames[ObjectIdentifier(type)] { return known }
        let name = "\(type)"
        if typeNames.count < Self.maxTypeNames { typeNames[ObjectIdentifier(type)] = name }
        return name
    }
}
