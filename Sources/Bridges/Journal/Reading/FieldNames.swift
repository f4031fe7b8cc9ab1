/// The names of the fields that a journal has.
package enum FieldNames {
    /// The names, as far as the files' indexes tell them. Reads no entry.
    ///
    /// - Throws: where nothing at all can be read.
    package static func all(in source: JournalSource) throws(JournalError) -> Set<String> {
        DescriptorLimit.raise()
        let journal = MergedJournal()
        var files = JournalFiles(source, follow: false)
        try files.open(journal)
        var names: Set<String> = []
        for file in journal.files { file.forEachFieldName { names.insert($0) } }
        return names
    }
}

extension JournalFile {
    /// Calls `body` with the name of each field in the file's table of fields, up to the first thing that cannot be read.
    fileprivate func forEachFieldName(_ body: (String) -> Void) {
        let table = header.fieldTable
        guard isSound(table, ObjectType.fieldTable), table.size <= UInt64(size) - table.offset else { return }
        for bucket in 0..<Int(table.size / 16) {
            guard let start = bytes(Int(table.offset) + bucket * 16, 16, .spot) else { return }
            var offset = Int(clamping: start.number(at: 0))
            while offset != 0 {
                guard let (_, length) = object(offset, ObjectType.field, least: ObjectStart.field, .spot),
                    length <= ObjectStart.field + Self.longestFieldName, let start = bytes(offset, length, .spot)
                else { return }
                let name = UnsafeRawBufferPointer(start: start, count: length).dropFirst(ObjectStart.field)
                let next = Int(clamping: start.number(at: 24))
                if let name = String(validating: name, as: UTF8.self) { body(name) }
                // A chain points forward. Going back would be going round.
                guard next == 0 || next > offset else { return }
                offset = next
            }
        }
    }

    /// As long as journald lets them be.
    private static let longestFieldName = 64
}
