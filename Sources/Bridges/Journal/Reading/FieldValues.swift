/// The values that a field has in a journal.
package enum FieldValues {
    /// Calls `body` with each value once, in the order of the files. It is asked of the files' indexes; where one cannot be used all
    /// entries of the file are read.
    ///
    /// - Throws: where nothing at all can be read.
    package static func forEach(
        of name: String,
        in source: JournalSource,
        _ body: ([UInt8]) -> Void
    ) throws(JournalError) {
        DescriptorLimit.raise()
        let journal = MergedJournal()
        var files = JournalFiles(source, follow: false)
        try files.open(journal)
        var seen: Set<[UInt8]> = []
        for file in journal.files {
            let isKnown = file.forEachValue(of: Array(name.utf8)) { if seen.insert($0).inserted { body($0) } }
            if isKnown { continue }
            let start = Array("\(name)=".utf8)
            for index in 0..<file.count {
                guard let offset = file.offset(at: index), let entry = file.entry(at: offset, .stream) else { continue }
                _ = file.forEachField(of: entry, .stream) { line, _ in
                    if line.starts(with: start), case let value = Array(line.dropFirst(start.count)),
                        seen.insert(value).inserted
                    {
                        body(value)
                    }
                    return true
                }
            }
        }
    }
}

extension JournalFile {
    /// Answers false, and may have called `body`, where the index cannot tell.
    fileprivate func forEachValue(of name: [UInt8], _ body: ([UInt8]) -> Void) -> Bool {
        guard isIntact, let places = values(of: name, most: .max) else { return false }
        for place in places.reversed() {
            guard let (start, _) = object(place, ObjectType.data, least: payloadStart, .spot) else { return false }
            // Left over from an entry that was not written to its end.
            if start.number(at: 56) == 0 { continue }
            guard let line = payload(at: place, .spot), line.count > name.count else { return false }
            body(Array(line.dropFirst(name.count + 1)))
        }
        return true
    }
}
