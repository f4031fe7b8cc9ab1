/// Sources of sequence numbers are written independently of each other. An entry of one may come when a later entry of
/// another has been read.
extension MergedJournal {
    /// The position where reading begins in a file. A file that came while the journal was followed goes on behind
    /// the others of its source.
    func start(of file: JournalFile, _ location: Location) -> Location {
        guard file.place.ended == 0, case .at(let key) = location, key.sequenceID != file.header.sequenceID,
            case let last = lastSequence(of: file.header.sequenceID), last > 0
        else { return location }
        var point = SeekPoint()
        point.sequenceID = file.header.sequenceID
        point.sequence = last
        return .seek(point)
    }

    /// Whether the file's next entry comes before the current one and was written when the file had been read to its end.
    /// Then it is read late rather than never.
    func isLate(_ file: JournalFile, _ current: EntryKey) -> Bool {
        let next = file.place.key
        guard file.place.index >= file.place.ended, next.sequenceID != current.sequenceID else { return false }
        let last = lastSequence(of: next.sequenceID)
        return last == 0 ? file.place.ended > 0 : next.entry.sequence > last
    }

    /// Whether a file of another source has the same entry, as when journald moves its journal to another place.
    func isElsewhere(_ file: JournalFile) -> Bool {
        files.contains { $0.header.sequenceID != file.header.sequenceID && $0.hasCopy(of: file.place.key) }
    }

    /// The number of the last entry that was read of a source; 0 if none was.
    func lastSequence(of source: ID128) -> UInt64 {
        var last = closed[source] ?? 0
        for file in files where file.header.sequenceID == source {
            last = max(last, min(file.place.lastSequence, file.lastSequence))
            guard case .end(let count) = file.place.state, count > 0,
                let offset = file.offset(at: count - 1), let entry = file.entry(at: offset, .spot)
            else { continue }
            last = max(last, entry.sequence)
        }
        return last
    }
}
