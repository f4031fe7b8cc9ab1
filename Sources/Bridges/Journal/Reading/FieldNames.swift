/// The names of the fields that a journal has.
package enum FieldNames {
    /// The names, from the files' indexes.
    ///
    /// - Parameter readingEntries: whether to read all entries of a file whose index cannot be used. Otherwise its
    ///   names are those that were found before the damage.
    /// - Throws: where nothing at all can be read.
    package static func all(in source: JournalSource, readingEntries: Bool) throws(JournalError) -> Set<String> {
        DescriptorLimit.raise()
        let journal = MergedJournal()
        var files = JournalFiles(source, follow: false)
        try files.open(journal)
        var names: Set<String> = []
        for file in journal.files {
            let isWhole = file.forEachFieldName { names.insert($0) }
            if !isWhole, readingEntries { file.insertNamesOfEntries(into: &names) }
        }
        return names
    }
}

extension JournalFile {
    /// Calls `body` with the name of each field in the file's table of fields, up to the first thing that cannot be read. Answers
    /// whether everything could.
    fileprivate func forEachFieldName(_ body: (String) -> Void) -> Bool {
        let table = header.fieldTable
        guard isIntact, isSound(table, ObjectType.fieldTable), table.size <= UInt64(size) - table.offset else {
            return false
        }
        for bucket in 0..<Int(table.size / 16) {
            guard let start = bytes(Int(table.offset) + bucket * 16, 16, .spot) else { return false }
            var offset = Int(clamping: start.number(at: 0))
            while offset != 0 {
                guard let (_, length) = object(offset, ObjectType.field, minSize: ObjectStart.field, .spot),
                    length <= ObjectStart.field + Self.maxNameLength, let start = bytes(offset, length, .spot)
                else { return false }
                let name = UnsafeRawBufferPointer(start: start, count: length).dropFirst(ObjectStart.field)
                let next = Int(clamping: start.number(at: 24))
                if let name = String(validating: name, as: UTF8.self) { body(name) }
                // A chain points forward. Going back would be going round.
                guard next == 0 || next > offset else { return false }
                offset = next
            }
        }
        return true
    }

    fileprivate func insertNamesOfEntries(into names: inout Set<String>) {
        for index in 0..<count {
            guard let offset = offset(at: index), let entry = entry(at: offset, .stream) else { continue }
            var found: [String] = []
            _ = forEachField(of: entry, .stream) { line, _ in
                let name = line.prefix { $0 != UInt8(ascii: "=") }
                if let name = String(validating: name, as: UTF8.self) { found.append(name) }
                return true
            }
            names.formUnion(found)
        }
    }

    /// As long as journald lets them be.
    private static let maxNameLength = 64
}
