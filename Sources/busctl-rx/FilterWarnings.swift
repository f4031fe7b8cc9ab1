import Filter
import FilterBridge
import Glibc
import JournalBridge
import RecordSources

/// Probable mistakes in a filter, for a person at a terminal.
enum FilterWarnings {
    /// No filter is searched for more impossible values than this.
    private static let maxValues = 16

    /// A program that reads the messages has asked for exactly this filter.
    static var areWanted: Bool { isatty(STDERR_FILENO) == 1 }

    /// - Parameter source: the journal that is going to be read, if it is one.
    static func report(_ filter: CompiledFilter, reading source: JournalSource?) {
        guard areWanted else {
            if let source { reportImpossible(filter, filter.match, in: source) }
            return
        }
        for warning in filter.warnings + (source.map { missingFields(filter, $0) } ?? []) {
            StandardError.report(rendered: "warning: \(warning)")
        }
    }

    /// The same for several sources.
    static func report(_ filter: RecordFilter, reading sources: [NamedSource]) {
        if areWanted {
            for warning in filter.filter.warnings { StandardError.report(rendered: "warning: \(warning)") }
            return
        }
        for source in sources {
            guard let journal = (source.source as? JournalRecords)?.journal else { continue }
            reportImpossible(filter.filter, filter.match(ofJournal: source.name), in: journal)
        }
    }

    /// Reports values that a field never has, such as the name of a unit without its kind, and that no entry has. A program
    /// is reported, too, because its run looks like that of a quiet service.
    private static func reportImpossible(
        _ filter: CompiledFilter,
        _ match: @autoclosure () -> Match,
        in source: JournalSource
    ) {
        // There is one for each such value.
        if filter.warnings.isEmpty { return }
        let schema = JournalSchema()
        let terms = Dictionary(grouping: terms(of: match()), by: \.value)
        let impossible = terms.sorted { $0.key < $1.key }.compactMap { value, terms in
            terms.lazy.compactMap { term in
                schema.field(named: term.field).flatMap { schema.objection(to: value, in: $0) }.map { (term, $0) }
            }.first
        }.prefix(maxValues)
        func lines(_ value: String) -> [String] { (terms[value] ?? []).map { "\($0.field)=\($0.value)" } }
        let missing = Set(MissingFields.values(among: impossible.flatMap { lines($0.0.value) }, of: source))
        for (term, objection) in impossible where lines(term.value).allSatisfy(missing.contains) {
            let correction = objection.correction.map { "; did you mean '\($0)'?" } ?? ""
            StandardError.report(
                "warning: no entry of this journal has \(term.field)=\(term.value): \(objection.reason)\(correction)"
            )
        }
    }

    private static func terms(of match: Match) -> [(field: String, value: String)] {
        switch match {
        case .everything, .nothing: []
        case .term(let field, let value): [(field, String(decoding: value, as: UTF8.self))]
        case .all(let parts), .any(let parts): parts.flatMap { terms(of: $0) }
        }
    }

    /// Fields that no entry has, unless they are among the journal's usual ones.
    private static func missingFields(_ filter: CompiledFilter, _ source: JournalSource) -> [FilterWarning] {
        let usual = Set(JournalSchema().knownNames)
        let unusual = filter.fields.map(\.name).filter { !usual.contains($0) && !$0.hasPrefix("__") }
        let missing = Set(MissingFields.among(Array(unusual.prefix(16)), of: source))
        return filter.fields.indices.filter { missing.contains(filter.fields[$0].name) }.map { index in
            let name = filter.fields[index].name
            let nearest = Spelling.nearest(to: name, among: usual.sorted())
            return filter.warning(
                aboutFieldAt: index,
                "no entry of this journal has a field \(name)\(nearest.map { "; did you mean \($0)?" } ?? " so far")"
            )
        }
    }
}
