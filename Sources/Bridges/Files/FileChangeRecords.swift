public import Bus
public import Records
public import SystemPackage

extension Signal where Value == FileChange {
    /// Changes of files as records, with the fields `change` (`created`, `modified`, `closed`, `attributes`, `deleted`, `moved-from`,
    /// `moved-to`, `replaced`, `overflow`), `path`, `previous`, `directory`.
    ///
    /// See `records(named:time:_:)` of any signal.
    ///
    /// - Parameters:
    ///   - name: the source's name.
    ///   - path: of the directory that is watched.
    public consuming func records(named name: String = "change", path: FilePath) -> some Signal<Record, Failure> {
        let path = path.string
        return records(named: name) { name in
            name.isEmpty ? path : path.hasSuffix("/") ? "\(path)\(name)" : "\(path)/\(name)"
        }
    }

    /// The same of `changes(of:)`.
    ///
    /// - Parameters:
    ///   - name: the source's name.
    ///   - file: the path of the file that is watched.
    public consuming func records(named name: String = "change", file: FilePath) -> some Signal<Record, Failure> {
        let file = file.string
        return records(named: name) { _ in file }
    }

    private consuming func records(
        named name: String,
        _ whole: @escaping @Sendable (FileName) -> String
    ) -> some Signal<Record, Failure> {
        records(named: name) { change in
            let kind = change.kind.recordName
            let file = whole(change.name)
            var fields: [(name: String, value: RecordFields.Value)] = [("change", .text(kind)), ("path", .text(file))]
            if let previous = change.previousName { fields.append(("previous", .text(whole(previous)))) }
            fields.append(("directory", .bool(change.isDirectory)))
            let isLoss = change.kind == .overflow
            return RecordFields(
                message: isLoss ? "changes are missing here: the kernel's queue was full" : "\(kind) \(file)",
                severity: isLoss ? .warning : .info,
                list: fields
            )
        }
    }
}

extension FileChange.Kind {
    fileprivate var recordName: String {
        switch self {
        case .created: "created"
        case .modified: "modified"
        case .closedAfterWrite: "closed"
        case .attributes: "attributes"
        case .deleted: "deleted"
        case .movedFrom: "moved-from"
        case .movedTo: "moved-to"
        case .replaced: "replaced"
        case .overflow: "overflow"
        }
    }
}
