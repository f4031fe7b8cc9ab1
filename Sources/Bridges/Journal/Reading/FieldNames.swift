/// The names of the fields that a journal has.
package enum FieldNames {
    /// The names, from the files' indexes.
    ///
    /// - Parameters:
    ///   - readingEntries: whether to read all entries of a file whose index cannot be used. Otherwise its
    ///     names are those that were found before the damage.
    ///   - report: called with what is missing, because a file cannot be read or is damaged.
    /// - Throws: where nothing at all can be read.
    package static func all(
        in source: JournalSource,
        readingEntries: Bool,
        reporting report: (JournalGap) -> Void = { _ in }
    ) throws(JournalError) -> Set<String> {
        let journal = try ListedJournal(source)
        var names: Set<String> = []
        for file in journal.files {
            if file.forEachFieldName({ names.insert($0) }) { continue }
            guard readingEntries else {
                journal.gaps.append(JournalGap(.damaged, path: file.path))
                continue
            }
            journal.forEachEntry(of: file) { journal in
                journal.forEachField { line in
                    let name = line.prefix { $0 != UInt8(ascii: "=") }
                    if let name = String(validating: name, as: UTF8.self) { names.insert(name) }
                    return true
                }
            }
        }
        journal.gaps.forEach(report)
        return names
    }
}

extension JournalFile {
    /// Calls `body` with the name of each field in the file's table of fields, up to the first thing that cannot be read. Answers
    /// whether everything could.
    fileprivate func forEachFieldName(_ body: (String) -> Void) -> Bool {
        let table = header.fieldTable
        guard isIntact, isSound(table, ObjectType.fieldTable) else { return false }
        let buckets = Int(table.size / 16)
        var bucket = 0
        // Each field takes so many bytes at least; more of them are in several chains.
        var fieldsLeft = size / ObjectStart.field
        while bucket < buckets {
            let place = Int(table.offset) + bucket * 16
            guard let start = bytes(place, 16, .spot) else { return false }
            bucket += 1
            var offset = Int(clamping: start.number(at: 0))
            // A hole in the file, which may be as large as a disk, is empty buckets.
            if offset == 0, place & 0xFFFF < 16 {
                bucket = max(bucket, (nextData(from: place) - Int(table.offset)) / 16)
            }
            while offset != 0 {
                fieldsLeft -= 1
                guard fieldsLeft >= 0,
                    let (_, length) = object(offset, ObjectType.field, minSize: ObjectStart.field, .spot),
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

    /// As long as journald lets them be.
    private static let maxNameLength = 64
}
