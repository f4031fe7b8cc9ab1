/// The fields, and the values of fields, that no entry of a journal has.
package enum MissingFields {
    /// More files than this are not opened just for a question.
    private static let maxFiles = 256

    /// The names that no entry of the journal has as a field. Empty where this cannot be known for sure: where the
    /// journal is empty, or a file of it is damaged or unreadable.
    ///
    /// It opens the journal's files and looks into their indexes, once for each name, and reads no entry.
    package static func among(_ names: [String], of source: JournalSource) -> [String] {
        missing(names, of: source) { $0.has(field: $1) }
    }

    /// The same of values, each written as `NAME=value`.
    package static func values(among lines: [String], of source: JournalSource) -> [String] {
        missing(lines, of: source) { $0.has(value: $1) }
    }

    private static func missing(
        _ names: [String],
        of source: JournalSource,
        _ isThere: (MergedJournal, String) -> Bool?
    ) -> [String] {
        guard !names.isEmpty else { return [] }
        let paths = JournalFolders(source: source).list().paths
        guard !paths.isEmpty, paths.count <= maxFiles else { return [] }
        DescriptorLimit.raise()
        // The reader opens the same journal next, and reports the error.
        guard let journal = try? MergedJournal(files: paths), journal.files.allSatisfy(\.isIntact),
            // In an empty journal everything is missing.
            journal.has(field: "MESSAGE") == true
        else { return [] }
        return names.filter { isThere(journal, $0) == false }
    }
}

extension MergedJournal {
    /// Whether any entry has the value, according to the index alone; `nil` where the index cannot be read.
    fileprivate func has(value line: String) -> Bool? {
        var line = line
        return line.withUTF8 { line in
            var isAnywhere = false
            for file in files {
                switch file.find(UnsafeRawBufferPointer(line)) {
                case .damaged: return nil
                case .found: isAnywhere = true
                case .absent: break
                }
            }
            return isAnywhere
        }
    }

    /// Whether any entry has the field, according to the index alone; `nil` where the index cannot be read.
    fileprivate func has(field name: String) -> Bool? {
        var name = name
        return name.withUTF8 { name in
            var isAnywhere = false
            for file in files {
                guard let isThere = file.has(field: UnsafeRawBufferPointer(name)) else { return nil }
                isAnywhere = isAnywhere || isThere
            }
            return isAnywhere
        }
    }
}
