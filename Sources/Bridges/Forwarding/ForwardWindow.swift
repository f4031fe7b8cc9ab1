import DequeModule

/// The entries that are on their way, and those that are done behind one that is not, in the order of the journal.
struct ForwardWindow {
    private struct Entry {
        var cursor: String
        /// How much it takes of the forwarder's capacity.
        let size: Int
        let isPlace: Bool
        var isDone = false
        /// The number of its message, if it has one.
        var sequence: UInt64?
    }

    private var entries: Deque<Entry> = []
    /// The number of the first of them.
    private var first: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Entries at the beginning of the window that are all done.
    struct Done {
        var cursor: String
        /// The message with the highest number among it.
        var highest: ForwardMark?
        /// How much of the capacity is free again.
        var size: Int
    }

    /// - Returns: the entry's number.
    mutating func begin(_ cursor: String, size: Int) -> UInt64 {
        append(Entry(cursor: cursor, size: size, isPlace: false))
    }

    /// A place alone. One directly behind another takes its place: behind an entry that waits for long, there is one.
    ///
    /// - Returns: its number, and how much of the capacity is free again.
    mutating func pass(_ cursor: String, size: Int) -> (number: UInt64, freed: Int) {
        guard let last = entries.last, last.isPlace else {
            return (append(Entry(cursor: cursor, size: size, isPlace: true)), 0)
        }
        entries[entries.count - 1].cursor = cursor
        return (first + UInt64(entries.count) - 1, size)
    }

    private mutating func append(_ entry: Entry) -> UInt64 {
        entries.append(entry)
        return first + UInt64(entries.count) - 1
    }

    /// - Returns: `nil` if nothing more is done up to the first entry that is not.
    mutating func finish(_ number: UInt64, stored sequence: UInt64?) -> Done? {
        guard number >= first, number - first < UInt64(entries.count) else { return nil }
        entries[Int(number - first)].isDone = true
        entries[Int(number - first)].sequence = sequence
        var done: Done?
        while let entry = entries.first, entry.isDone {
            var upToHere = done ?? Done(cursor: entry.cursor, size: 0)
            upToHere.cursor = entry.cursor
            upToHere.size += entry.size
            if let sequence = entry.sequence, sequence > upToHere.highest?.sequence ?? 0 {
                upToHere.highest = ForwardMark(sequence: sequence, cursor: entry.cursor)
            }
            done = upToHere
            entries.removeFirst()
            first += 1
        }
        return done
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

    /// - Parameter maxEntries: how many entries the window can have.
    init(_ beginning: ForwardBeginning, maxEntries: Int) {
        place = beginning.place
        known = beginning.known
        // A stored entry is no further behind one that is missing, but for what the sink has lost.
        left = known.count + 2 * maxEntries
        left = left.addingReportingOverflow(beginning.maxLost).overflow ? .max : left + beginning.maxLost
    }

    /// An entry comes.
    ///
    /// - Returns: its number, and its message's if it is stored already.
    mutating func begin(_ cursor: String, size: Int) -> (number: UInt64, stored: UInt64?) {
        let number = window.begin(cursor, size: size)
        guard !known.isEmpty else { return (number, nil) }
        left -= 1
        let stored = known.removeValue(forKey: cursor)
        if left <= 0 { known = [:] }
        return (number, stored)
    }

    /// An entry that does not match.
    ///
    /// - Returns: its number, and how much of the capacity is free again.
    mutating func pass(_ cursor: String, size: Int) -> (number: UInt64, freed: Int) {
        // The source says where it begins. A sink that loses everything gets all from there.
        if place.cursor == nil, window.isEmpty, !place.history.marks.isEmpty {
            place.history = ForwardHistory(beginning: cursor)
        }
        return window.pass(cursor, size: size)
    }

    /// - Parameter sequence: its message's number, if it has one.
    /// - Returns: the place up to which everything is stored, and how much of the capacity is free again, if that is news.
    mutating func finish(_ number: UInt64, stored sequence: UInt64?) -> (place: ForwardPlace, freed: Int)? {
        guard let done = window.finish(number, stored: sequence) else { return nil }
        move(to: done)
        return (place, done.size)
    }

    private mutating func move(to done: ForwardWindow.Done) {
        place.cursor = done.cursor
        if let highest = done.highest, highest.sequence > newest?.sequence ?? place.sequence ?? 0 { newest = highest }
        // Messages are stored in the order of their entries. As long as something is known, though, a message with a low number may
        // belong to a later entry.
        guard known.isEmpty, let newest else { return }
        place.sequence = newest.sequence
        // A sink that looks for what it has lost begins a history.
        if place.history.marks.isEmpty { return }
        place.mark = newest
        moves += 1
        if moves >= Self.movesPerMark {
            moves = 0
            place.history.add(newest)
        }
    }
}
