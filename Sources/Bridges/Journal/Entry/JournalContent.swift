public import Records

/// An entry as the content of a record. Its fields are those of the journal, under the journal's names.
public struct JournalContent: RecordContent {
    /// The whole entry, with its cursor and times.
    public let entry: JournalEntry

    /// The content of an entry's record. It shares the entry's memory.
    public init(_ entry: JournalEntry) {
        self.entry = entry
    }

    public var footprint: Int { entry.byteCount }

    /// `PRIORITY`.
    public var severity: Severity? {
        entry.withValue(of: "PRIORITY") { $0.flatMap { Severity(digit: $0) } }
    }

    /// The identifier, or the name of the program, and the process, as journalctl's lines have them.
    public var speaker: String? {
        entry.storage.withView { view in
            guard let name = view.value(named: "SYSLOG_IDENTIFIER") ?? view.value(named: "_COMM") else { return nil }
            let process = view.value(named: "_PID") ?? view.value(named: "SYSLOG_PID")
            let text = String(decoding: name.prefix(300), as: UTF8.self)
            return process.map { "\(text)[\(String(decoding: $0.prefix(32), as: UTF8.self))]" } ?? text
        }
    }

    /// `MESSAGE`.
    public func withMessage<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        entry.withValue(of: "MESSAGE", body)
    }

    public func withFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        entry.storage.withView { view in
            withUnsafeTemporaryAllocation(of: RecordField.self, capacity: view.slots.count) { fields in
                for (index, slot) in view.slots.enumerated() {
                    let field = RecordField(name: view.name(of: slot), value: .text(view.value(of: slot)))
                    fields.initializeElement(at: index, to: field)
                }
                return body(UnsafeBufferPointer(rebasing: fields[..<view.slots.count]))
            }
        }
    }
}
