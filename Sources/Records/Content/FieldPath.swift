import JSONScan

/// A field of a record, or a part of its value, as a filter names them: `http`, `http.status`, `http["status"]`,
/// `tags[0]`.
///
/// Only JSON values have parts. Names of fields may contain dots themselves: of `a.b.c` the field `a.b.c` comes first,
/// then the member `c` of the field `a.b`, then the member `b.c` of the field `a`. A journal's short names
/// stand for the fields that have long ones, and `record.a` for `a` where it leads to nothing else.
public struct FieldPath: Sendable, Hashable {
    private enum Step: Sendable, Hashable {
        case member([UInt8])
        case element(Int)
    }

    /// The name of a field, and the way to a part of its value.
    private struct Reading: Sendable, Hashable {
        let name: [UInt8]
        let steps: [Step]
    }

    /// As it was typed.
    public let text: String
    /// The name of the field, in front of the first dot or bracket.
    package let root: String
    /// Whether it names a part of a value.
    package let isNested: Bool
    /// What it may stand for, the longest name first.
    private let readings: [Reading]

    /// - Throws: ``FieldPathError``, which describes the mistake.
    public init(_ text: String) throws(FieldPathError) {
        var parser = Parser(text)
        self = try parser.path()
    }

    /// A field whose name is exactly this.
    public init(name: String) {
        self.init(text: name, root: name, isNested: false, readings: [Reading(name: Array(name.utf8), steps: [])])
    }

    /// The path that a text is, or else the field with this name.
    package init(orNameOfField text: String) { self = (try? FieldPath(text)) ?? FieldPath(name: text) }

    private init(text: String, root: String, isNested: Bool, readings: [Reading]) {
        self.text = text
        self.root = root
        self.isNested = isNested
        self.readings = readings
    }

    /// Paths that are separated by commas. Commas in the quotes of a path separate nothing; an empty path is a fault.
    package static func list(_ text: String) throws(FieldPathError) -> [FieldPath] {
        var paths: [FieldPath] = []
        var rest = Array(text.utf8)[...]
        while true {
            let end = Self.end(in: rest) { $0 == UInt8(ascii: ",") }
            paths.append(try FieldPath(String(decoding: rest[..<end], as: UTF8.self)))
            guard end < rest.endIndex else { return paths }
            rest = rest[(end + 1)...]
        }
    }

    /// The index at which a path ends: of the first byte that ends it and is not in quotes.
    static func end(in text: ArraySlice<UInt8>, _ isEnd: (UInt8) -> Bool) -> Int {
        var position = text.startIndex
        while position < text.endIndex, !isEnd(text[position]) {
            position += 1
            guard text[position - 1] == UInt8(ascii: "["), position < text.endIndex else { continue }
            let quote = text[position]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
            position += 1
            while position < text.endIndex, text[position] != quote {
                position += text[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            position = min(position + 1, text.endIndex)
        }
        return position
    }

    /// The names of all fields that it may be found in.
    package var names: [[UInt8]] { readings.map(\.name) }

    /// The first value; `nil` where the record has none. It is lent for as long as the fields are.
    package func value(in fields: UnsafeBufferPointer<RecordField>) -> RecordValue? {
        for reading in readings {
            guard let field = fields.first(where: { $0.name.elementsEqual(reading.name) }) else { continue }
            if let part = Self.part(of: field.value, at: reading.steps) { return part }
        }
        return nil
    }

    /// The same, of each field with the first name that leads to any value.
    func values(in fields: UnsafeBufferPointer<RecordField>) -> [RecordValue] {
        for reading in readings {
            let parts = fields.filter { $0.name.elementsEqual(reading.name) }
                .compactMap { Self.part(of: $0.value, at: reading.steps) }
            if !parts.isEmpty { return parts }
        }
        return []
    }

    private static func part(of value: RecordValue, at steps: [Step]) -> RecordValue? {
        if steps.isEmpty { return value }
        guard case .json(var text) = value else { return nil }
        for step in steps {
            let next: UnsafeRawBufferPointer? =
                switch step {
                case .member(let name): member(name, of: text)
                case .element(let index): JSONMembers.element(index, of: text)
                }
            guard let next else { return nil }
            text = next
        }
        return .json(text)
    }

    /// Of several members with the name, the last: as in a filter.
    private static func member(_ name: [UInt8], of object: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var members = JSONMembers(object)
        var found: UnsafeRawBufferPointer?
        while let member = members.next() {
            member.withName { if $0.elementsEqual(name) { found = member.value } }
        }
        return found
    }
}

extension FieldPath {
    /// Reads a path: a name, then members and indexes.
    private struct Parser {
        /// No JSON value that a filter reads is nested deeper.
        private static let maxParts = 100

        private let text: [UInt8]
        private var position = 0
        /// The dotted names at the beginning.
        private var dotted: [[UInt8]] = []
        private var steps: [Step] = []

        init(_ text: String) {
            self.text = Array(text.utf8)
        }

        mutating func path() throws(FieldPathError) -> FieldPath {
            dotted = [try word()]
            while position < text.count {
                guard dotted.count + steps.count < Self.maxParts else {
                    throw fault("it has more than \(Self.maxParts) parts")
                }
                position += 1
                if text[position - 1] == UInt8(ascii: "[") {
                    steps.append(try index())
                } else if steps.isEmpty {
                    dotted.append(try word())
                } else {
                    steps.append(.member(try word()))
                }
            }
            let direct = readings(of: dotted[...])
            guard dotted.count > 1, dotted[0].elementsEqual("record".utf8) else {
                return path(of: dotted[...], direct)
            }
            return path(of: dotted[1...], direct + readings(of: dotted[1...]))
        }

        private func path(of names: ArraySlice<[UInt8]>, _ readings: [Reading]) -> FieldPath {
            let root = String(decoding: names[names.startIndex], as: UTF8.self)
            return FieldPath(text: whole, root: root, isNested: names.count > 1 || !steps.isEmpty, readings: readings)
        }

        private var whole: String { String(decoding: text, as: UTF8.self) }

        private func readings(of names: ArraySlice<[UInt8]>) -> [Reading] {
            // A name may be anything, brackets and all.
            let exact = steps.isEmpty || names.count < dotted.count ? [] : [Reading(name: text, steps: [])]
            let split = names.indices.reversed().map { last in
                Reading(
                    name: Array(names[...last].joined(separator: [UInt8(ascii: ".")])),
                    steps: names[(last + 1)...].map(Step.member) + steps
                )
            }
            let root = String(decoding: names[names.startIndex], as: UTF8.self)
            let long = ShortNames.candidates(for: root).dropFirst().map { name in
                Reading(name: Array(name.utf8), steps: names.dropFirst().map(Step.member) + steps)
            }
            return exact + split + long
        }

        /// A name up to the next dot or bracket.
        private mutating func word() throws(FieldPathError) -> [UInt8] {
            let start = position
            while position < text.count, text[position] != UInt8(ascii: "."), text[position] != UInt8(ascii: "[") {
                position += 1
            }
            guard position > start else { throw fault("a name is missing") }
            return Array(text[start..<position])
        }

        /// What stands between brackets: a name in quotes, or the number of an element.
        private mutating func index() throws(FieldPathError) -> Step {
            let step: Step
            if let quote = text[position...].first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                step = .member(try quoted(quote))
            } else {
                let digits = text[position...].prefix { (0x30...0x39).contains($0) }
                guard let index = Int32(String(decoding: digits, as: UTF8.self)) else {
                    throw fault("between brackets stands a name in quotes, or the number of an element")
                }
                position += digits.count
                step = .element(Int(index))
            }
            guard position < text.count, text[position] == UInt8(ascii: "]") else { throw fault("a ']' is missing") }
            position += 1
            guard position == text.count || [UInt8(ascii: "."), UInt8(ascii: "[")].contains(text[position]) else {
                throw fault("after ']' comes '.', '[' or nothing")
            }
            return step
        }

        /// A backslash keeps the character after it.
        private mutating func quoted(_ quote: UInt8) throws(FieldPathError) -> [UInt8] {
            var name: [UInt8] = []
            position += 1
            while position < text.count, text[position] != quote {
                if text[position] == UInt8(ascii: "\\") { position += 1 }
                guard position < text.count else { break }
                name.append(text[position])
                position += 1
            }
            guard position < text.count else { throw fault("a quote is left open") }
            position += 1
            return name
        }

        private func fault(_ reason: String) -> FieldPathError {
            let example = "as in status, http.status, http[\"status\"] or tags[0]"
            return FieldPathError(
                description: text.isEmpty
                    ? "write the name of a field, \(example)"
                    : "'\(whole)' is not the name of a field: \(reason). Write it \(example)"
            )
        }
    }
}

/// A mistake in a path.
public struct FieldPathError: Error, Hashable, CustomStringConvertible {
    public let description: String
}
