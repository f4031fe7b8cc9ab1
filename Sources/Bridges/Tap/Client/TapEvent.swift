import JSONScan
public import Records

/// An event on a topic of another program, as a tap shows it.
///
/// As the content of a record it has the fields `topic`, `scope`, `origin`, `type` and `value`; in place of `value` a value that cannot be
/// shown has `truncated` or `error`. The message is the value.
public struct TapEvent: RecordContent {
    enum Kind {
        case event, other
    }

    enum Member: Int, CaseIterable {
        case topic, scope, origin, type, value, text, truncated, error, kind, sequence, time, uptime

        static let names = allCases.map { Array("\($0)".utf8) }
        /// The members that a record has as fields, in order, and the fields' names.
        static let fields: [(member: Member, name: StaticString)] = [
            (.topic, "topic"), (.scope, "scope"), (.origin, "origin"), (.type, "type"), (.value, "value"),
            (.text, "value"), (.truncated, "truncated"), (.error, "error"),
        ]
    }

    private final class Storage: Sendable {
        let text: [UInt8]
        /// Where each member's value lies in the text.
        let places: [Range<Int>?]

        init(_ text: [UInt8], _ places: [Range<Int>?]) {
            self.text = text
            self.places = places
        }
    }

    private let storage: Storage

    /// - Parameter text: the reply's parameters; `nil` for what is no object.
    init?(_ text: [UInt8]) {
        var places = [Range<Int>?](repeating: nil, count: Member.allCases.count)
        let isObject = text.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            var members = JSONMembers(bytes)
            while let member = members.next() {
                guard let index = Member.names.firstIndex(where: { member.name.elementsEqual($0) }),
                    let start = member.value.baseAddress.map({ $0 - base })
                else { continue }
                var end = start + member.value.count
                while end > start, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
                places[index] = start..<end
            }
            return members.isComplete
        }
        guard isObject else { return nil }
        storage = Storage(text, places)
    }

    var kind: Kind { has(.kind, #""event""#) ? .event : .other }

    /// The topic's name.
    public var topic: String { text(.topic) ?? "" }

    /// The event's number in its topic.
    public var sequence: UInt64 { number(.sequence).map { UInt64(clamping: $0) } ?? 0 }

    /// When it was posted, in microseconds since 1970-01-01T00:00:00Z.
    public var time: Int64? { number(.time) }

    /// When it was posted, in nanoseconds since the machine's start.
    public var uptime: Int64? { number(.uptime) }

    /// The names of the child buses that it was posted on.
    public var scope: String { text(.scope) ?? "" }

    /// The file and the line that posted it.
    public var origin: String { text(.origin) ?? "" }

    /// The name of the value's type.
    public var type: String { text(.type) ?? "" }

    /// The value as JSON; nil where the tap shows none.
    public var value: [UInt8]? { place(.value) ?? place(.text) }

    // MARK: As a record

    public var severity: Severity? { place(.error) == nil ? nil : .warning }

    public var speaker: String? { topic }

    public func withMessage<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        if let range = storage.places[Member.value.rawValue] {
            return storage.text.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
        var message =
            text(.text) ?? text(.error).map { "the value cannot be shown: \($0)" }
            ?? "the value is too long to be shown"
        return message.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    public func withFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        storage.text.withUnsafeBytes { text in
            withUnsafeTemporaryAllocation(of: RecordField.self, capacity: Member.fields.count) { fields in
                var count = 0
                for (member, name) in Member.fields {
                    guard let range = storage.places[member.rawValue] else { continue }
                    let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
                    let value = Self.value(UnsafeRawBufferPointer(rebasing: text[range]))
                    fields.initializeElement(at: count, to: RecordField(name: name, value: value))
                    count += 1
                }
                return body(UnsafeBufferPointer(rebasing: fields[..<count]))
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

    private func place(_ member: Member) -> [UInt8]? { storage.places[member.rawValue].map { Array(storage.text[$0]) } }

    private func has(_ member: Member, _ json: StaticString) -> Bool {
        guard let range = storage.places[member.rawValue] else { return false }
        return json.withUTF8Buffer { storage.text[range].elementsEqual($0) }
    }

    private func text(_ member: Member) -> String? { place(member).flatMap(JSONArguments.text) }

    private func number(_ member: Member) -> Int64? {
        place(member).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }
}
