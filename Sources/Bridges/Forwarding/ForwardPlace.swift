import JournalBridge
public import RecordSources

/// How far everything is stored.
public struct ForwardPlace: Hashable, Sendable {
    /// The cursor of the last entry; `nil` at the source's beginning.
    public internal(set) var cursor: String?
    /// A number of the sink. All later entries get higher numbers.
    public internal(set) var sequence: UInt64?
    /// When the sink was made that the number is of, in its own words.
    public internal(set) var made: String?
    /// The message that has the number ``sequence``, if it is one of an entry.
    package var mark: ForwardMark?
    /// Earlier places, for a sink that has lost what it acknowledged.
    package var history = ForwardHistory()

    /// The source's beginning: nothing is stored.
    public init() {}

    /// A place as a sink names it. Everything up to it is stored; without a cursor, nothing is.
    ///
    /// - Returns: `nil` if `cursor` or `made` is empty or has a line break: no cursor file can hold it.
    public init?(cursor: String? = nil, sequence: UInt64? = nil, made: String? = nil) {
        for text in [cursor, made] {
            guard let text else { continue }
            if text.isEmpty || text.utf8.contains(UInt8(ascii: "\n")) { return nil }
        }
        self.cursor = cursor
        self.sequence = sequence
        self.made = made
    }

    /// - Parameters:
    ///   - lines: those of a cursor file. A file that another command wrote has a cursor alone; the first line is empty at the journal's
    ///     beginning. A file without a history was written by an earlier version.
    ///   - path: of the file, for messages.
    package init(lines: [String], path: String) throws(CursorFileError) {
        cursor = lines.first.flatMap { $0.isEmpty ? nil : $0 }
        sequence = lines.dropFirst().first.flatMap { UInt64($0) }
        guard let sequence else { return }
        made = lines.dropFirst(2).first.flatMap { $0.isEmpty ? nil : $0 }
        for (index, line) in lines.enumerated().dropFirst(3).reversed() where !line.isEmpty {
            let count = history.marks.count
            if let mark = ForwardMark(line), mark.sequence <= sequence { history.add(mark) }
            guard history.marks.count == count + 1 else {
                throw CursorFileError(
                    description:
                        "the cursor file \(path), line \(index + 1): expected are the number of a message, falling from line to line, and a cursor, on at most \(ForwardHistory.maxCount) lines"
                )
            }
        }
        mark = history.marks.last.flatMap { $0.sequence > 0 && $0.sequence == sequence ? $0 : nil }
    }

    /// The place that a file holds; the source's beginning if there is no such file.
    ///
    /// - Parameter file: as a ``Forwarder`` or `busctl-rx` wrote it.
    /// - Throws: where it cannot be read, or is longer than any place. The source finds out whether it knows the cursor.
    public init(_ file: CursorFile) throws(CursorFileError) {
        try self.init(lines: try file.readLines(), path: file.path)
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
        base.history = ForwardHistory(beginning: base.cursor)
        if let (id, sequence) = last.first, id == base.cursor {
            base.mark = ForwardMark(sequence: sequence, cursor: id)
        }
        return base
    }

    /// The same, or the last message of the stream, if that is of a later entry.
    private func advanced(to last: [String: UInt64]) -> ForwardPlace {
        guard let (id, sequence) = last.first, MergedJournal.isCursor(id) else { return self }
        if let cursor, cursor != id {
            guard let mine = EntryNumber(cursor: cursor), let theirs = EntryNumber(cursor: id), mine.isBefore(theirs)
            else { return self }
        }
        var place = ForwardPlace()
        place.cursor = id
        place.sequence = sequence
        return place
    }

    /// For a cursor file.
    public var text: String {
        guard let sequence else { return cursor ?? "" }
        var history = history
        if let mark { history.add(mark) }
        let marks = history.marks.reversed().map(\.text)
        let lines = [cursor ?? "", "\(sequence)"] + (made == nil && marks.isEmpty ? [] : [made ?? ""]) + marks
        return lines.joined(separator: "\n")
    }

    /// All cursors of it, for those who know what a cursor looks like.
    package var cursors: [String] { ([cursor] + history.marks.map(\.cursor)).compactMap { $0 } }
}
