import Filter
import Glibc
import JournalBridge

/// Probable mistakes in a filter, for a person at a terminal.
enum FilterWarnings {
    /// A program that reads the messages has asked for exactly this filter.
    static var areWanted: Bool { isatty(STDERR_FILENO) == 1 }

    /// - Parameter source: the journal that is going to be read, if it is one.
    static func report(_ filter: CompiledFilter, reading source: JournalSource?) {
        guard areWanted else { return }
        for warning in filter.warnings + (source.map { missingFields(filter, $0) } ?? []) {
            StandardError.report(rendered: "warning: \(warning)")
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
