import FilterBridge
import Records

/// The fields that the records of the sources on a command line can have, as far as they are known without reading the
/// sources.
struct FieldCandidates {
    let names: [String]
    /// Whether a journal has further ones.
    let hasJournal: Bool

    /// - Parameter arguments: the values of `--from` and `--label`. Those that are wrong have no fields.
    init(_ sources: [SourceArgument], hasJournal: Bool) {
        var kinds = RecordPlan.kinds(of: (try? RecordPlan.named(sources, skews: [])) ?? [])
        self.hasJournal = hasJournal || kinds.isEmpty || kinds.contains { $0.kind == .journal }
        if self.hasJournal { kinds.append(("journal", .journal)) }
        let known = RecordSchema(kinds).knownNames.filter { !$0.hasPrefix("__") }
        names =
            known
            + sources.flatMap { source in
                if case .json(let path) = source.source { Self.members(in: path) } else { [String]() }
            }
    }

    /// The names in the first lines of a file. One that a shell would split is left out.
    private static func members(in path: String) -> [String] {
        FileBeginning.bytes(of: path, 1 << 16).split(separator: 0x0A)
            .compactMap { JSONObject(Array($0)) }
            .flatMap { Record(source: "", time: 0, sequence: 0, content: $0).fieldNames }
            .filter { $0.utf8.allSatisfy { $0 > 0x20 && $0 != 0x2C } }
    }
}
