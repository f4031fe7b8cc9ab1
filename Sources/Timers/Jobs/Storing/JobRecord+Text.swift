import Zones

/// The text of a record is not one, and it does not say what was done.
public struct JobRecordError: Error, Hashable, CustomStringConvertible {
    /// From 1.
    public let line: Int
    /// What is wrong, for a person.
    public let reason: String
    /// Whether a later version of this library wrote it. Then it is not damaged, and a store leaves it where it is.
    public let isOfLaterVersion: Bool

    init(line: Int, reason: String, isOfLaterVersion: Bool = false) {
        self.line = line
        self.reason = reason
        self.isOfLaterVersion = isOfLaterVersion
    }

    public var description: String { "line \(line): \(reason)" }
}

extension JobRecord {
    /// Longer texts are refused.
    public static let maxLength = 1 << 20

    /// The record in lines of text, for people too.
    ///
    /// ```
    /// job 1
    /// revision 17
    /// done 2026-03-02T02:30:00Z
    /// number 1772420017
    /// missed 0
    /// last succeeded 2026-03-01T02:30:00Z attempt 1 missed 0 number 1772420016
    /// running 2026-03-02T02:30:00Z attempt 1 missed 0 number 1772420017
    /// waiting 2026-03-02T03:30:00Z attempt 1 missed 0
    /// end
    /// ```
    ///
    /// With a lease, there is a line `grant` with the grant's number behind `missed`. The line of a one-shot ends with
    /// `id` and its id, in which `%` and two hexadecimal digits are written for a byte that is no visible character of
    /// ASCII.
    public var text: String {
        var lines = [
            "job 1", "revision \(revision)", "done \(done.iso8601)", "number \(number)", "missed \(missed)",
        ]
        if let grant { lines.append("grant \(grant)") }
        if let last { lines.append("last \(last.end.rawValue) \(Self.text(last.entry))") }
        lines += entries.map { ($0.number == nil ? "waiting " : "running ") + Self.text($0) }
        return lines.joined(separator: "\n") + "\nend\n"
    }

    private static func text(_ entry: Entry) -> String {
        let begin = "\(entry.time.iso8601) attempt \(entry.attempt) missed \(entry.missed)"
        return begin + (entry.number.map { " number \($0)" } ?? "") + (entry.id.map { " id \(JobID.text($0))" } ?? "")
    }

    /// Reads a record's ``text``.
    public init(text: String) throws(JobRecordError) {
        guard text.utf8.count <= Self.maxLength else {
            throw JobRecordError(line: 1, reason: "longer than \(Self.maxLength) bytes")
        }
        var reader = JobRecordReader(text)
        try reader.version()
        let revision = UInt64(try reader.number("revision", Int64.self))
        self.init(done: try reader.time("done"), at: TimerInstant(nanoseconds: 0))
        self.revision = revision
        number = UInt64(try reader.number("number", Int64.self))
        missed = Int(try reader.number("missed", Int32.self))
        grant = try reader.numberIfThere("grant", Int64.self).map(UInt64.init)
        while let (kind, words) = reader.entry() {
            guard entries.count < Self.maxEntries else { throw reader.error("more than \(Self.maxEntries) runs") }
            switch kind {
            case "last":
                guard let end = words.first.flatMap({ End(rawValue: String($0)) }), last == nil, entries.isEmpty else {
                    throw reader.error("not the end of a run")
                }
                last = Last(entry: try reader.entry(words.dropFirst()), end: end)
            default:
                let entry = try reader.entry(words[...])
                guard (entry.number == nil) == (kind == "waiting"), entry.number ?? 0 <= number else {
                    throw reader.error("the number does not fit")
                }
                entries.append(entry)
            }
        }
        try reader.word("end")
        try reader.finish()
        // A one-shot may be scheduled again while it runs.
        let keys = entries.map { $0.id == nil ? "\($0.time)" : "\($0.number == nil) \($0.id ?? "")" }
        guard Set(keys).count == entries.count else { throw reader.error("a run is there twice") }
    }
}

/// Reads the lines of a record one by one.
private struct JobRecordReader {
    private let lines: [Substring]
    private var index = 0

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    func error(_ reason: String) -> JobRecordError { JobRecordError(line: min(index, lines.count), reason: reason) }

    /// A line of this name and one value.
    private mutating func value(_ name: String) throws(JobRecordError) -> Substring {
        index += 1
        let words = index <= lines.count ? lines[index - 1].split(separator: " ", omittingEmptySubsequences: false) : []
        guard words.count == 2, words[0] == name else { throw error("\"\(name)\" and a value are expected") }
        return words[1]
    }

    mutating func version() throws(JobRecordError) {
        let text = try value("job")
        guard let version = UInt64(text), version > 0 else { throw error("\"\(text)\" is not a version") }
        guard version == 1 else {
            throw JobRecordError(line: index, reason: "written by a later version", isOfLaterVersion: true)
        }
    }

    mutating func word(_ name: String) throws(JobRecordError) {
        index += 1
        guard index <= lines.count, lines[index - 1] == name else { throw error("\"\(name)\" is expected") }
    }

    /// A number that is not negative and, so that it can grow, less than the counter's own type would allow.
    mutating func number<Number: FixedWidthInteger>(
        _ name: String,
        _: Number.Type
    ) throws(JobRecordError) -> Number {
        let text = try value(name)
        guard let number = Number(text), number >= 0 else { throw error("\"\(text)\" is not a number") }
        return number
    }

    /// The number, if the next line is one of this name.
    mutating func numberIfThere<Number: FixedWidthInteger>(
        _ name: String,
        _ type: Number.Type
    ) throws(JobRecordError) -> Number? {
        guard index < lines.count, lines[index].hasPrefix("\(name) ") else { return nil }
        return try number(name, type)
    }

    mutating func time(_ name: String) throws(JobRecordError) -> TimerInstant {
        let text = try value(name)
        guard let time = JobTime.read(text) else { throw error("\"\(text)\" is not a time") }
        return time
    }

    /// The next line, if it is one of a run.
    mutating func entry() -> (kind: Substring, words: [Substring])? {
        guard index < lines.count else { return nil }
        let words = lines[index].split(separator: " ", omittingEmptySubsequences: false)
        guard let kind = words.first, ["last", "running", "waiting"].contains(kind) else { return nil }
        index += 1
        return (kind, Array(words.dropFirst()))
    }

    func entry(_ words: ArraySlice<Substring>) throws(JobRecordError) -> JobRecord.Entry {
        var words = words
        guard let text = words.popFirst(), let time = JobTime.read(text) else { throw error("a time is expected") }
        var entry = JobRecord.Entry(time: time)
        entry.attempt = Int(try take("attempt", Int32.self, &words))
        entry.missed = Int(try take("missed", Int32.self, &words))
        if words.first == "number" { entry.number = UInt64(try take("number", Int64.self, &words)) }
        if words.first == "id" {
            guard let id = words.dropFirst().first.flatMap(JobID.read) else { throw error("an id is expected") }
            entry.id = id
            words = words.dropFirst(2)
        }
        guard entry.attempt > 0, words.isEmpty else { throw error("not a run") }
        return entry
    }

    /// A number that is not negative.
    private func take<Number: FixedWidthInteger>(
        _ name: String,
        _: Number.Type,
        _ words: inout ArraySlice<Substring>
    ) throws(JobRecordError) -> Number {
        guard words.popFirst().map(String.init) == name, let number = words.popFirst().flatMap({ Number($0) }),
            number >= 0
        else {
            throw error("\"\(name)\" and a number are expected")
        }
        return number
    }

    func finish() throws(JobRecordError) {
        guard index == lines.count - 1, lines[index].isEmpty else { throw error("there is more behind the end") }
    }
}

/// Times in records, as ``TimerInstant/iso8601`` writes them.
enum JobTime {
    /// Whether ``read(_:)`` takes the time.
    static func canBeWritten(_ time: TimerInstant) -> Bool { read(time.iso8601[...]) == time }

    static func read(_ text: Substring) -> TimerInstant? {
        var copy = text
        return copy.withUTF8 { bytes in
            var digits = DigitReader(UnsafeRawBufferPointer(bytes))
            guard let year = digits.number(4), digits.take("-"), let month = digits.number(2), digits.take("-"),
                let day = digits.number(2), digits.take("T"), let hour = digits.number(2), hour < 24, digits.take(":"),
                let minute = digits.number(2), minute < 60, digits.take(":"), let second = digits.number(2),
                second < 60
            else { return nil }
            var nanosecond: Int64 = 0
            if digits.take(".") {
                guard let fraction = digits.fraction(digits: 9) else { return nil }
                nanosecond = fraction
            }
            let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
            // The clock's range ends in 1677 and 2262.
            guard digits.take("Z"), digits.isAtEnd, date.exists, (1678...2261).contains(year) else { return nil }
            let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
            return TimerInstant(nanoseconds: seconds * 1_000_000_000 + nanosecond)
        }
    }
}

/// Ids in records: words of visible ASCII.
enum JobID {
    static func text(_ id: String) -> String {
        var text = ""
        for byte in id.utf8 {
            let isPlain = (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "%")
            text += isPlain ? String(UnicodeScalar(byte)) : escape(byte)
        }
        return text
    }

    /// `%` and two hexadecimal digits.
    static func escape(_ byte: UInt8) -> String {
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    static func read(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            // A number may have a sign.
            guard digits.utf8.count == 2, !digits.hasPrefix("+"), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let id = String(validating: bytes, as: UTF8.self), !id.isEmpty, bytes.count <= OneShots.maxIDLength
        else { return nil }
        return id
    }
}
