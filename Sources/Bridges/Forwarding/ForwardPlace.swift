import JournalBridge
public import RecordSources

/// How far everything is stored.
public struct ForwardPlace: Hashable, Sendable {
    /// The cursor of the last entry; `nil` at the source's beginning.
    public var cursor: String?
    /// A number of the sink. All later entries get higher numbers.
    public var sequence: UInt64?
    /// When the sink was made that the number is of, in its own words.
    public var made: String?

    /// A place as a sink or a file names it. Everything up to it is stored; without a cursor, nothing is.
    public init(cursor: String? = nil, sequence: UInt64? = nil, made: String? = nil) {
        self.cursor = cursor
        self.sequence = sequence
        self.made = made
    }

    /// - Parameter lines: those of a cursor file. A file that another command wrote has a cursor alone; the first line is empty at the
    ///   journal's beginning.
    package init(lines: [String]) {
        cursor = lines.first.flatMap { $0.isEmpty ? nil : $0 }
        sequence = lines.dropFirst().first.flatMap { UInt64($0) }
        made = sequence == nil ? nil : lines.dropFirst(2).first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The place that a file holds; the source's beginning if there is no such file.
    ///
    /// - Parameter file: as a ``Forwarder`` or `busctl-rx` wrote it.
    /// - Throws: where it cannot be read, or is longer than any place. The source finds out whether it knows the cursor.
    public init(_ file: CursorFile) throws(CursorFile.Failure) {
        self.init(lines: try file.readLines())
    }

    /// The place where a forwarder begins that has no number yet: this one or the last message's, with the number of that message, or
    /// zero if there is none. An entry that is refused while later ones are stored would be lost if the next attempt took a later
    /// message for its beginning.
    ///
    /// - Parameters:
    ///   - last: the message's number by the entry's cursor, if it has one.
    ///   - made: when the stream was made.
    func based(on last: [String: UInt64], made: String?) -> ForwardPlace {
        var base = advanced(to: last)
        if base.sequence == nil { base.sequence = last.values.first ?? 0 }
        base.made = made
        return base
    }

    /// The same, or the last message of the stream, if that is of a later entry.
    private func advanced(to last: [String: UInt64]) -> ForwardPlace {
        guard let (id, sequence) = last.first, MergedJournal.isCursor(id) else { return self }
        guard let cursor, cursor != id else { return ForwardPlace(cursor: id, sequence: sequence) }
        guard let mine = EntryNumber(cursor: cursor), let theirs = EntryNumber(cursor: id), mine.isBefore(theirs) else {
            return self
        }
        return ForwardPlace(cursor: id, sequence: sequence)
    }

    /// For a cursor file.
    public var text: String {
        guard let sequence else { return cursor ?? "" }
        return (cursor ?? "") + "\n\(sequence)" + (made.map { "\n\($0)" } ?? "")
    }
}
