import JSONScan

/// A line that is a JSON object, as a record's content. Its members at the top are the fields.
///
/// The message is the member `message`, `msg`, `MESSAGE` or `event`; the severity is `level`, `severity`, `lvl`,
/// `priority` or `PRIORITY`, by name or number; the time ``time`` is `time`, `ts`, `timestamp`, `@timestamp` or `t`,
/// in RFC 3339 or as a number of seconds, milliseconds, microseconds or nanoseconds since 1970, whichever lies
/// between 1973 and 5138.
public struct JSONObject: RecordContent {
    /// The place of a member in the line.
    struct Member: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    private final class Storage: Sendable {
        let line: [UInt8]
        let members: [Member]
        /// Names whose escapes were removed, by the members' numbers.
        let unescaped: [Int: [UInt8]]

        init(_ line: [UInt8], _ members: [Member], _ unescaped: [Int: [UInt8]]) {
            self.line = line
            self.members = members
            self.unescaped = unescaped
        }
    }

    private let storage: Storage

    /// - Parameter line: exactly one object; the result is `nil` for anything else. The members' values are checked
    ///   only when they are read.
    public init?(_ line: [UInt8]) {
        var members: [Member] = []
        var unescaped: [Int: [UInt8]] = [:]
        let isObject = line.withUnsafeBytes { text in
            guard let base = text.baseAddress else { return false }
            func range(_ part: UnsafeRawBufferPointer) -> Range<Int> {
                let start = part.baseAddress.map { $0 - base } ?? 0
                return start..<start + part.count
            }
            var scan = JSONMembers(text)
            while let member = scan.next() {
                if member.name.contains(UInt8(ascii: "\\")) {
                    guard let name = JSONEscapes.removed(from: member.name) else { return false }
                    unescaped[members.count] = name
                }
                members.append(Member(name: range(member.name), value: range(member.value)))
            }
            return scan.isComplete
        }
        guard isObject else { return nil }
        storage = Storage(line, members, unescaped)
    }

    /// When it happened, if one of its members says so.
    public var time: RecordTime? {
        member(LogNames.time) { value in
            value.first == UInt8(ascii: "\"")
                ? Self.plain(value).flatMap { $0.withUnsafeBytes { RecordTime.read($0) } }
                : RecordTime.read(number: value)
        }
    }

    public var severity: Severity? {
        member(LogNames.severity) { Self.plain($0).flatMap { Severity(logged: $0) } }
    }

    public var footprint: Int { storage.line.count + storage.members.count * MemoryLayout<Member>.stride }

    public func withMessage<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        let message = member(LogNames.message) { Self.plain($0) }
        guard let message else { return body(nil) }
        return message.withUnsafeBytes(body)
    }

    public func withFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        storage.line.withUnsafeBytes { line in
            withUnescaped { unescaped in
                withUnsafeTemporaryAllocation(of: RecordField.self, capacity: storage.members.count) { fields in
                    for (index, member) in storage.members.enumerated() {
                        let name = unescaped[index] ?? UnsafeRawBufferPointer(rebasing: line[member.name])
                        let value = RecordValue.json(UnsafeRawBufferPointer(rebasing: line[member.value]))
                        fields.initializeElement(at: index, to: RecordField(name: name, value: value))
                    }
                    return body(UnsafeBufferPointer(rebasing: fields[..<storage.members.count]))
                }
            }
        }
    }

    /// Lends the names that had escapes, by the members' numbers.
    private func withUnescaped<Result>(_ body: ([Int: UnsafeRawBufferPointer]) -> Result) -> Result {
        if storage.unescaped.isEmpty { return body([:]) }
        let joined = storage.unescaped.values.flatMap { $0 }
        return joined.withUnsafeBytes { bytes in
            var start = 0
            var parts: [Int: UnsafeRawBufferPointer] = [:]
            for (index, name) in storage.unescaped {
                parts[index] = UnsafeRawBufferPointer(rebasing: bytes[start..<start + name.count])
                start += name.count
            }
            return body(parts)
        }
    }

    /// The first result of `read` that is not nil, for the first member with the first of these names.
    private func member<Result>(
        _ names: [[UInt8]],
        _ read: (UnsafeRawBufferPointer) -> Result?
    ) -> Result? {
        storage.line.withUnsafeBytes { line in
            for name in names {
                for member in storage.members where member.name.count == name.count {
                    guard line[member.name].elementsEqual(name) else { continue }
                    if let result = read(UnsafeRawBufferPointer(rebasing: line[member.value])) { return result }
                }
            }
            return nil
        }
    }

    /// A text without its quotes and escapes; any other value as it stands. `nil` for a text with an invalid escape.
    static func plain(_ value: UnsafeRawBufferPointer) -> [UInt8]? {
        guard value.first == UInt8(ascii: "\"") else {
            var end = value.count
            while end > 0, [0x20, 0x09, 0x0A, 0x0D].contains(value[end - 1]) { end -= 1 }
            return Array(value[..<end])
        }
        guard let end = value.lastIndex(of: UInt8(ascii: "\"")), end > 0 else { return nil }
        let inside = UnsafeRawBufferPointer(rebasing: value[1..<end])
        return inside.contains(UInt8(ascii: "\\")) ? JSONEscapes.removed(from: inside) : Array(inside)
    }
}
