import FilterBridge
import RecordSources

/// The fields that the records of the sources on a command line can have, as far as they are known without reading the
/// sources.
struct FieldCandidates {
    let names: [String]
    /// Whether a journal has further ones.
    let hasJournal: Bool

    /// - Parameter arguments: the values of `--from` and `--label`. Those that are wrong have no fields.
    init(_ sources: [SourceArgument], hasJournal: Bool) {
        var kinds = (try? NamedSource.all(sources.map { ($0.label, $0.source) }))?.fields ?? []
        self.hasJournal = hasJournal || kinds.isEmpty || kinds.contains { $0.kind == .journal }
        if self.hasJournal { kinds.append(("journal", .journal)) }
        let known = RecordSchema(kinds).knownNames.filter { !$0.hasPrefix("__") }
        names = known + sources.flatMap { ($0.source as? LineRecords)?.firstNames ?? [] }
    }
}
