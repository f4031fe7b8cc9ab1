public import Records

/// An event on a topic of another program, as a tap shows it.
///
/// As the content of a record it has the fields `topic`, `scope`, `origin`, `type` and `value`; in place of `value` a value that cannot be
/// shown has `truncated` or `error`. The message is the value.
public struct TapEvent: RecordContent {
    enum Kind {
        case event, other
    }

    /// The members with the names: the topic and the like. Events that came in frames share them.
    private let names: Members
    /// The other members.
    private let own: Members
    /// Nil where the members have it.
    private let stamp: Stamp?

    /// - Parameter text: the reply's parameters; the result is `nil` if they are no object.
    init?(_ text: [UInt8]) {
        guard let members = Members(text) else { return nil }
        names = members
        own = members
        stamp = nil
    }

    init(names: Members, own: Members, _ stamp: Stamp) {
        self.names = names
        self.own = own
        self.stamp = stamp
    }

    var kind: Kind {
        stamp != nil || bytes(.kind)?.elementsEqual(#""event""#.utf8) == true ? .event : .other
    }

    /// The topic's name.
    public var topic: String { text(.topic) ?? "" }

    /// The event's number in its topic.
    public var sequence: UInt64 { stamp?.sequence ?? number(.sequence).map { UInt64(clamping: $0) } ?? 0 }

    /// When it was posted.
    public var time: RecordTime? { (stamp?.time ?? number(.time)).map { RecordTime(microseconds: $0) } }

    /// How long the machine had run when it was posted.
    public var uptime: Duration? { (stamp?.uptime ?? number(.uptime)).map { .nanoseconds($0) } }

    /// The names of the child buses that it was posted on.
    public var scope: String { text(.scope) ?? "" }

    /// The file and the line that posted it.
    public var origin: String { text(.origin) ?? "" }

    /// The name of the value's type.
    public var type: String { text(.type) ?? "" }

    /// The value as JSON; nil where the tap shows none.
    public var value: [UInt8]? { bytes(.value) ?? bytes(.text) }

    // MARK: As a record

    public var severity: Severity? { own.place(of: .error) == nil ? nil : .warning }

    public var speaker: String? { topic }

    public var footprint: Int { names === own ? own.text.count : names.text.count + own.text.count }

    public func withMessage<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        if let range = own.place(of: .value) {
            return own.text.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
        var message =
            text(.text) ?? text(.error).map { "the value cannot be shown: \($0)" }
            ?? "the value is too long to be shown"
        return message.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    public func withFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        own.text.withUnsafeBytes { ownText in
            names.text.withUnsafeBytes { namesText in
                withUnsafeTemporaryAllocation(of: RecordField.self, capacity: Member.fields.count) { fields in
                    var count = 0
                    func add(_ name: StaticString, _ json: Slice<UnsafeRawBufferPointer>) {
                        let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
                        let value = Self.value(UnsafeRawBufferPointer(rebasing: json))
                        fields.initializeElement(at: count, to: RecordField(name: name, value: value))
                        count += 1
                    }
                    for (member, name) in Member.fields {
                        if let range = own.place(of: member) {
                            add(name, ownText[range])
                        } else if let range = names.place(of: member) {
                            add(name, namesText[range])
                        }
                    }
                    return body(UnsafeBufferPointer(rebasing: fields[..<count]))
                }
            }
        }
    }

    /// A text without escapes is lent as one.
    private static func value(_ json: UnsafeRawBufferPointer) -> RecordValue {
        guard json.count >= 2, json.first == UInt8(ascii: "\""), json.last == UInt8(ascii: "\"") else {
            return .json(json)
        }
        let inside = UnsafeRawBufferPointer(rebasing: json[1..<json.count - 1])
        return inside.contains(UInt8(ascii: "\\")) ? .json(json) : .text(inside)
    }

    // MARK: Members

    private func bytes(_ member: Member) -> [UInt8]? {
        own.place(of: member).map { Array(own.text[$0]) } ?? names.place(of: member).map { Array(names.text[$0]) }
    }

    private func text(_ member: Member) -> String? { bytes(member).flatMap(JSONArguments.text) }

    private func number(_ member: Member) -> Int64? {
        bytes(member).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }
}
