package import Filter
import JournalBridge
import Records
import Synchronization

/// The fields of the records of several sources, as one filter may name them.
///
/// All records have `source` (its name), `time`, `message`, `severity` and `priority` (0...7, with `emerg` to `debug`
/// as constants; two names of one field), `sequence`, `late` and `gap`. Beside these there are the fields of each
/// source that is read; a name that none of them has is refused. For a record of a source without the field, the
/// field is absent.
package final class RecordSchema: FieldSchema {
    /// The place of a field's value.
    struct Place: Sendable {
        enum Common: Sendable {
            case source, time, message, severity, sequence, isLate, isGap, realtime, monotonic
        }

        let name: [UInt8]
        /// The field of that name that all records have.
        let common: Common?
        /// Its number in the journal's own schema.
        let journal: FieldID?
    }

    private struct Table {
        var places: [Place] = []
        var known: [String: FieldDefinition] = [:]
        var readsMessage = false
    }

    let journal = JournalSchema()
    private let sources: [(name: String, kind: RecordKind)]
    /// Whether matches are those of a journal's index.
    private let isForIndexOfJournal: Bool
    private let table = Mutex(Table())

    /// - Parameter sources: the names of the sources that are read, and the kinds of their records.
    package convenience init(_ sources: [(name: String, kind: RecordKind)]) {
        self.init(sources, isForIndexOfJournal: false)
    }

    private init(_ sources: [(name: String, kind: RecordKind)], isForIndexOfJournal: Bool) {
        self.sources = sources
        self.isForIndexOfJournal = isForIndexOfJournal
        constants = sources.reduce(into: journal.constants) { $0.merge($1.kind.constants) { known, _ in known } }
    }

    /// The same fields. Matches are those of a journal's index, and of `source`.
    var forIndexOfJournal: RecordSchema { RecordSchema(sources, isForIndexOfJournal: true) }

    package var timeField: String? { "time" }

    package let constants: [String: Int64]

    package var synonyms: [String: String] { hasJournal ? journal.synonyms : [:] }

    package var knownNames: [String] {
        var names = Self.common.keys.filter { !$0.hasPrefix("__") }.sorted()
        for (_, kind) in sources {
            switch kind.fields {
            case .known(let types): names += types.keys.sorted()
            case .journal: names += journal.knownNames
            case .any: break
            }
        }
        return names
    }

    private var hasJournal: Bool { sources.contains { $0.kind.fields == .journal } }

    private static let common: [String: (Place.Common, FieldType)] = [
        "source": (.source, .string), "time": (.time, .timestamp), "message": (.message, .string),
        "severity": (.severity, .int), "priority": (.severity, .int), "sequence": (.sequence, .int),
        "late": (.isLate, .bool), "gap": (.isGap, .bool), "__REALTIME_TIMESTAMP": (.realtime, .int),
        "__MONOTONIC_TIMESTAMP": (.monotonic, .int),
    ]

    package func field(named name: String) -> FieldDefinition? {
        if let known = table.withLock({ $0.known[name] }) { return known }
        guard let definition = definition(of: name, isRepeated: false) else { return nil }
        table.withLock { $0.known[name] = definition }
        return definition
    }

    package func repeatedField(named name: String) -> FieldDefinition? { definition(of: name, isRepeated: true) }

    package func number(for name: String, in field: FieldDefinition) -> NamedNumber? {
        hasJournal ? journal.number(for: name, in: field) : nil
    }

    package func objection(to text: String, in field: FieldDefinition) -> FieldObjection? {
        if field.name == "source", !sources.contains(where: { $0.name == text }) {
            let names = sources.map { "'\($0.name)'" }.joined(separator: ", ")
            return FieldObjection(reason: "what is read is called \(names)")
        }
        return hasJournal ? journal.objection(to: text, in: field) : nil
    }

    package func match(_ field: FieldDefinition, equals value: MatchValue) -> Match? {
        if isForIndexOfJournal, field.name != "source" { return indexMatch(field, equals: value) }
        guard case .text(let bytes) = value,
            field.name == "source" || sources.contains(where: { $0.kind.indexed.contains(field.name) })
        else { return nil }
        return .term(field: field.name, value: bytes)
    }

    private func indexMatch(_ field: FieldDefinition, equals value: MatchValue) -> Match? {
        // An empty text may stand for a field that is not there.
        guard !["sequence", "late", "gap"].contains(field.name), value != .text([]) else { return nil }
        let name = field.name == "severity" ? "priority" : field.name
        return journal.field(named: name).flatMap { journal.match($0, equals: value) }
    }

    /// The places of the fields that were asked for so far, and whether the message is one of them.
    var places: (list: [Place], readsMessage: Bool) { table.withLock { ($0.places, $0.readsMessage) } }

    private func definition(of text: String, isRepeated: Bool) -> FieldDefinition? {
        let name = LanguageNames.qualified(text) ?? text
        let isMember = LanguageNames.member(text) != nil
        let common = Self.common[name]
        // A name for a number is no other name: SIGHUP could be a field of a journal, too.
        if common == nil, constants[name] != nil { return nil }
        // All that a journal calls by another name is there, too.
        let journalName = name == "severity" ? "priority" : name
        let isOfJournal = hasJournal && !["source", "sequence", "late", "gap"].contains(name)
        let own =
            isOfJournal
            ? isRepeated ? journal.repeatedField(named: journalName) : journal.field(named: journalName) : nil
        let known = sources.compactMap { source, kind in
            type(of: name, isMember: isMember, in: kind, ofJournal: own?.type).map {
                FieldDefinition.SourceType(source: source, type: $0)
            }
        }
        let types = common.map { [$0.1] } ?? Set(known.map(\.type))
        guard let type = types.count == 1 ? types.first : types.isEmpty ? nil : .dynamic else { return nil }
        let id = table.withLock { table in
            table.places.append(Place(name: Array(name.utf8), common: common?.0, journal: own?.id))
            if name == "message" { table.readsMessage = true }
            return FieldID(rawValue: table.places.count - 1)
        }
        var definition = FieldDefinition(
            id: id,
            name: common == nil ? own?.name ?? name : name,
            type: type,
            range: common?.0 == .severity ? 0...7 : nil,
            hasAlternatives: own?.hasAlternatives ?? false
                || sources.contains { $0.kind.alternatives.contains(name) }
        )
        if types.count > 1 { definition.sourceTypes = known }
        return definition
    }

    private func type(of name: String, isMember: Bool, in kind: RecordKind, ofJournal journalType: FieldType?)
        -> FieldType?
    {
        switch kind.fields {
        case .journal: journalType
        case .known(let types): types[name]
        case .any: isMember ? .dynamic : nil
        }
    }
}
