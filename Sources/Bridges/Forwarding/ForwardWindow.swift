import DequeModule

/// The entries that are on their way, in the order of the journal.
struct ForwardWindow {
    private struct Entry {
        let cursor: String
        var isDone = false
        /// The number of its message, if it has one.
        var sequence: UInt64?
    }

    private var entries: Deque<Entry> = []
    /// The number of the first of them.
    private var first: UInt64 = 0

    var count: Int { entries.count }

    /// - Returns: the entry's number.
    mutating func begin(_ cursor: String) -> UInt64 {
        entries.append(Entry(cursor: cursor))
        return first + UInt64(entries.count) - 1
    }

    /// - Returns: the cursor up to which everything is done, and the message with the highest number up to there, if that is news.
    mutating func finish(_ number: UInt64, stored sequence: UInt64?) -> (cursor: String, highest: ForwardMark?)? {
        guard number >= first, number - first < UInt64(entries.count) else { return nil }
        entries[Int(number - first)].isDone = true
        entries[Int(number - first)].sequence = sequence
        var last: String?
        var highest: ForwardMark?
        while let entry = entries.first, entry.isDone {
            last = entry.cursor
            if let sequence = entry.sequence, sequence > highest?.sequence ?? 0 {
                highest = ForwardMark(sequence: sequence, cursor: entry.cursor)
            }
            entries.removeFirst()
            first += 1
        }
        return last.map { ($0, highest) }
    }
}

/// Where a connection begins, and what its sink has behind there.
public struct ForwardBeginning: Sendable {
    /// The place to go on from, with the sink's number.
    public var place: ForwardPlace
    /// The numbers of entries behind the place that are stored already, by their cursors.
    public var known: [String: UInt64]
    /// Messages for a person.
    public var notes: [String]
    /// How many entries behind the place the sink may have lost after it had acknowledged them. They lie between those that it has.
    package var maxLost = 0

    /// - Parameters:
    ///   - place: behind which entries are sent.
    ///   - known: entries behind it that the sink has, by cursor, with their numbers there.
    ///   - notes: what a person should know of the sink's state.
    public init(_ place: ForwardPlace, known: [String: UInt64] = [:], notes: [String] = []) {
        self.place = place
        self.known = known
        self.notes = notes
    }
}

/// The progress of one attempt to forward: the entries that it has begun and finished.
struct ForwardProgress {
    /// The messages that are stored behind the place: their numbers by the entries' cursors.
    private var known: [String: UInt64]
    /// After so many further entries the known messages can be forgotten.
    private var left: Int
    private var window = ForwardWindow()
    /// Up to where everything is stored.
    private(set) var place: ForwardPlace
    /// The message with the highest number up to the place.
    private var newest: ForwardMark?
    /// How often the place has moved since the last mark of its history.
    private var moves = 0
    /// So often the place moves from one mark of the history to the next.
    static let movesPerMark = 256

    /// - Parameter maxPending: how many entries can be on their way.
    init(_ beginning: ForwardBeginning, maxPending: Int) {
        place = beginning.place
        known = beginning.known
        // At most so many entries are on their way, so a stored entry is no further behind one that is missing.
        left = known.count + 2 * maxPending
        left = left.addingReportingOverflow(beginning.maxLost).overflow ? .max : left + beginning.maxLost
    }

    /// An entry comes.
    ///
    /// - Returns: its number, and its message's if it is stored already.
    mutating func begin(_ cursor: String) -> (number: UInt64, stored: UInt64?) {
        let number = window.begin(cursor)
        guard !known.isEmpty else { return (number, nil) }
        left -= 1
        let stored = known.removeValue(forKey: cursor)
        if left <= 0 { known = [:] }
        return (number, stored)
    }

    /// An entry that does not match.
    mutating func pass(_ cursor: String) -> UInt64 { window.begin(cursor) }

    /// - Parameter sequence: its message's number, if it has one.
    /// - Returns: the place up to which everything is stored, if that is news.
    mutating func finish(_ number: UInt64, stored sequence: UInt64?) -> ForwardPlace? {
        guard let (cursor, highest) = window.finish(number, stored: sequence) else { return nil }
        place.cursor = cursor
        if let highest, highest.sequence > newest?.sequence ?? place.sequence ?? 0 { newest = highest }
        // Messages are stored in the order of their entries. As long as something is known, though, a message with a low number may
        // belong to a later entry.
        guard known.isEmpty, let newest else { return place }
        place.sequence = newest.sequence
        // A sink that looks for what it has lost begins a history.
        if place.history.marks.isEmpty { return place }
        place.mark = newest
        moves += 1
        if moves >= Self.movesPerMark {
            moves = 0
            place.history.add(newest)
        }
        return place
    }
}
