import Filter
import FilterBridge
import JournalBridge
import Records
import RecordSources

/// Fields that are named outside of a filter.
enum NamedFields {
    /// Refuses names that no record of the sources can have.
    ///
    /// - Parameter option: which names them.
    static func require(_ paths: [FieldPath], of option: String, in sources: [NamedSource]) throws {
        let kinds = sources.fields
        // Records of such a source may have any field, with any value.
        if kinds.contains(where: { $0.kind == .any }) { return }
        let schema = RecordSchema(kinds)
        for path in paths where CommonField(rawValue: path.text) == nil {
            guard let field = schema.field(named: path.root), isWord(path.root) else {
                throw ValidationError(
                    "\(option) names '\(path.text)', but there is no such field in what is read"
                        + (suggestion(for: path.root, kinds)
                            ?? ". Write it as the source spells it, such as _PID, or a short name, such as unit.")
                )
            }
            guard path.isNested, field.type != .dynamic else { continue }
            throw ValidationError(
                "\(option) names '\(path.text)', but \(path.root) is one value, of which no part can be named."
            )
        }
    }

    /// Refuses names that no entry of a journal can have, where it is read by itself. Its format is journalctl's, which
    /// knows fields by their names in the journal only.
    static func requireOfJournal(_ paths: [FieldPath], of option: String) throws {
        for path in paths where !path.text.hasPrefix("__") {
            try require(path.text, of: option)
        }
    }

    /// Refuses a name that no field of an entry can have.
    ///
    /// - Parameter option: which names it.
    static func require(_ name: String, of option: String) throws {
        let found = JournalSchema().field(named: name)
        guard found?.name != name || name.hasPrefix("__") || name == "unit" || name == "time" else { return }
        let meant = found.flatMap { $0.name == "unit" ? "_SYSTEMD_UNIT" : $0.name == name ? nil : $0.name }
        throw ValidationError(
            "\(option) names '\(name)', but that is not a field that entries have in the journal"
                + (meant.map { ", did you mean '\($0)'?" } ?? ".")
        )
    }

    /// The end of the filter's message about a field that is not there.
    private static func suggestion(for name: String, _ kinds: [(name: String, kind: RecordKind)]) -> String? {
        do throws(FilterError) {
            _ = try RecordFilter("type(\(name)) != type(1)", sources: kinds)
            return nil
        } catch {
            return error.message.split(separator: ";").last { $0.hasPrefix(" did you mean") }.map { ";\($0)" }
        }
    }

    private static func isWord(_ name: String) -> Bool {
        name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
