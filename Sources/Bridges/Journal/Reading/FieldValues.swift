/// The values that a field has in a journal.
package enum FieldValues {
    /// Calls `body` with each value once, in the order of the files. It is asked of the files' indexes; where one cannot be used all
    /// entries of the file are read, and their values are kept in memory.
    ///
    /// - Parameter report: called at the end with what is missing, because a file cannot be read or is damaged.
    /// - Throws: where nothing at all can be read.
    package static func forEach(
        of name: String,
        in source: JournalSource,
        reporting report: (JournalGap) -> Void = { _ in },
        _ body: ([UInt8]) -> Void
    ) throws(JournalError) {
        let journal = try ListedJournal(source)
        let start = Array("\(name)=".utf8)
        var indexed: [JournalFile] = []
        /// The values of files without an index. The others are looked up, because a journal may have more than fit
        /// into memory.
        var seen: Set<[UInt8]> = []
        func isNew(_ line: UnsafeRawBufferPointer) -> Bool {
            !seen.contains(Array(line)) && !indexed.contains { $0.hasEntry(with: line) }
        }
        for file in journal.files {
            let isKnown = file.forEachLine(of: Array(name.utf8)) { line in
                if line.withUnsafeBytes(isNew) { body(Array(line.dropFirst(start.count))) }
            }
            if isKnown {
                indexed.append(file)
                continue
            }
            journal.forEachEntry(of: file) { journal in
                var lines: [[UInt8]] = []
                journal.forEachField { line in
                    if line.starts(with: start) { lines.append(Array(line)) }
                    return true
                }
                for line in lines where line.withUnsafeBytes(isNew) {
                    seen.insert(line)
                    body(Array(line.dropFirst(start.count)))
                }
            }
        }
        journal.gaps.forEach(report)
    }
}

extension JournalFile {
    /// Whether an entry has the field with that value, where the index can tell.
    fileprivate func hasEntry(with line: UnsafeRawBufferPointer) -> Bool {
        guard case .found(let data) = find(line),
            let (start, _) = object(data, ObjectType.data, minSize: payloadStart, .spot)
        else { return false }
        return start.number(at: 56) > 0
    }

    /// Calls `body` with `NAME=value` for each value. Where the index cannot tell, returns false without calling it.
    fileprivate func forEachLine(of name: [UInt8], _ body: ([UInt8]) -> Void) -> Bool {
        guard isIntact, hasWorkingIndex, let places = values(of: name, limit: .max) else { return false }
        let isWhole = places.allSatisfy { place in
            guard let line = payload(at: place, .spot), line.count > name.count else { return false }
            return line.starts(with: name) && line[name.count] == UInt8(ascii: "=")
        }
        guard isWhole else { return false }
        for place in places.reversed() {
            guard let (start, _) = object(place, ObjectType.data, minSize: payloadStart, .spot) else { continue }
            // Left over from an entry that was not written to its end.
            if start.number(at: 56) == 0 { continue }
            if let line = payload(at: place, .spot) { body(Array(line)) }
        }
        return true
    }
}
