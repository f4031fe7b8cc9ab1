package import Filter
import Glibc

/// Several journal files as one journal: their entries in one order, each once, forwards and backwards, from any place.
///
/// The order is that of libsystemd 252, see ``EntryKey``: at each step, the first of all files' next entries. An entry that
/// does not come behind the current one is passed over, which hides copies of entries in other files. Cursors are those of
/// journalctl.
///
/// It is used on one thread. It waits for nothing but the files, and never fails: whatever cannot be read is left out and
/// told of as a gap.
package final class MergedJournal {
    /// From where reading goes on.
    enum Location {
        case head
        case tail
        case seek(SeekPoint)
        /// At the current entry.
        case at(EntryKey)
    }

    let memory = FileMemory()
    private(set) var files: [JournalFile] = []
    /// The file of the current entry.
    private(set) var current: JournalFile?
    private(set) var entry = EntryRef()

    private var location = Location.head
    private var direction = Direction.forward
    /// What the files' indexes are asked for.
    private var terms: MatchTerms?
    /// Uses the index wherever it can be used, however many entries it finds.
    private var alwaysUsesIndex = false
    private var gaps: [JournalGap] = []
    private var lastNumber: UInt64 = 0
    /// For each source of sequence numbers, the last number that was read before a file of it was closed.
    private(set) var closed: [ID128: UInt64] = [:]

    init() {}

    /// Opens files. Among equal entries that of the first file counts.
    ///
    /// - Throws: if one of the files cannot be read at all.
    package convenience init(files paths: [String]) throws(JournalError) {
        self.init()
        for path in paths { try add(path) }
    }

    /// Opens a further file.
    @discardableResult
    func add(_ path: String) throws(JournalError) -> JournalFile {
        lastNumber += 1
        let file = try JournalFile(path, number: lastNumber, memory: memory)
        files.append(file)
        // A file that ends early or whose list of entries is broken: what is left of it is found at once, from both ends.
        if !file.entries.isComplete || file.header.end > UInt64(file.size) && file.header.state != 1 {
            _ = file.repair()
        }
        prepareWalk(of: file)
        return file
    }

    /// Opens a file that came while the journal was read to its end. It goes on where the files before it have ended.
    func addNew(_ path: String) throws(JournalError) -> JournalFile {
        let file = try add(path)
        file.place.walk = nil
        file.place.ended = 0
        return file
    }

    /// Lets go of a file.
    func remove(_ file: JournalFile) {
        closed[file.header.sequenceID] = lastSequence(of: file.header.sequenceID)
        files.removeAll { $0 === file }
        if current === file { current = nil }
    }

    // MARK: Places

    package func seekHead() { seek(.head) }
    package func seekTail() { seek(.tail) }
    /// To the first entry that was received at that time or later, in microseconds since 1970.
    package func seek(realtime: UInt64) { seek(.seek(SeekPoint(realtime: realtime))) }

    /// To the entry with the cursor, or where it would be. False, and nothing changes, if it is not a cursor.
    package func seek(cursor: String) -> Bool {
        guard let point = SeekPoint(cursor: cursor) else { return false }
        seek(.seek(point))
        return true
    }

    /// Whether the current entry is that of the cursor.
    package func test(cursor: String) -> Bool {
        guard let current, let point = SeekPoint(cursor: cursor) else { return false }
        return point.isMet(by: EntryKey(sequenceID: current.header.sequenceID, entry: entry))
    }

    func seek(_ location: Location) {
        self.location = location
        current = nil
        forgetPlaces()
    }

    func setCurrent(_ file: JournalFile, _ entry: EntryRef) {
        current = file
        self.entry = entry
    }

    private func forgetPlaces() {
        for file in files {
            file.place.state = .unknown
            file.place.index = -1
            file.place.ended = .max
            file.place.lastSequence = 0
            file.place.key = EntryKey()
        }
    }

    /// Reads only those entries that the files' indexes find for the match, from the head on.
    package func narrow(to match: Match) {
        narrow(to: MatchTerms(match), always: true)
    }

    /// - Parameter always: whether the index is used where reading everything may be faster.
    func narrow(to terms: MatchTerms, always: Bool = false) {
        self.terms = terms.conditions.isEmpty && !terms.isNothing ? nil : terms
        alwaysUsesIndex = always
        for file in files { prepareWalk(of: file) }
        seek(.head)
    }

    private func prepareWalk(of file: JournalFile) {
        file.place.walk = nil
        // A list that was put together anew is not that of the index.
        guard let terms, file.entries.repairs == 0 else { return }
        if terms.isNothing {
            file.place.walk = .any([])
            return
        }
        guard let walk = IndexWalk.make(terms, in: file) else { return }
        guard alwaysUsesIndex || walk.estimate * Self.costOfLookup < file.entries.count else { return }
        file.place.walk = walk
        // The newest entry of a file that is being written may not be in the index yet.
        file.place.walked = file.entries.count - (file.header.state == 1 ? 1 : 0)
    }

    /// How many entries can be read one after the other in the time in which the index finds one.
    private static let costOfLookup = 6

    // MARK: Steps

    /// Goes to the next entry. False if there is none, and the current one stays.
    package func next() -> Bool { move(.forward) }
    package func previous() -> Bool { move(.backward) }

    private func move(_ direction: Direction) -> Bool {
        if direction != self.direction {
            self.direction = direction
            forgetPlaces()
        }
        var best: JournalFile?
        for file in files where hasNext(file) {
            guard let other = best else {
                best = file
                continue
            }
            let order = file.place.key.compare(other.place.key)
            if direction == .forward ? order < 0 : order > 0 { best = file }
        }
        guard let best else { return false }
        if direction == .forward, best.place.index >= best.settled { return false }
        if best.place.lost > 0 { tellLoss(of: best) }
        best.place.state = .taken
        best.place.lastSequence = best.place.key.entry.sequence
        current = best
        entry = best.place.key.entry
        location = .at(best.place.key)
        return true
    }

    /// Whether the file has an entry beyond the current one, which then is found.
    @inline(__always)
    private func hasNext(_ file: JournalFile) -> Bool {
        switch file.place.state {
        case .found: break
        case .taken: guard file.step(direction) else { return ended(file) }
        case .unknown: guard file.locate(start(of: file, location), direction) else { return ended(file) }
        case .end(let count):
            guard file.entries.count != count else { return false }
            let isNew = file.place.walk == nil && file.place.key.entry.offset == 0
            if file.place.walk != nil { file.readOn(from: count) }
            guard isNew ? file.locate(location, direction) : file.step(direction) else { return ended(file) }
        }
        guard case .at(let key) = location else { return true }
        while true {
            let order = file.place.key.compare(key)
            let isBeyond = direction == .forward ? order > 0 : order < 0
            if isBeyond, file === current || !file.place.key.isCopy(of: key) { return true }
            if direction == .forward, isLate(file, key) { return true }
            guard file.step(direction) else { return ended(file) }
        }
    }

    private func ended(_ file: JournalFile) -> Bool {
        if file.place.lost > 0 { tellLoss(of: file) }
        return false
    }

    // MARK: Gaps

    /// What could not be read, in the order in which it was found missing. Each is told once.
    package func takeGaps() -> [JournalGap] {
        let taken = gaps
        gaps = []
        return taken
    }

    var hasGaps: Bool { !gaps.isEmpty }

    private func tellLoss(of file: JournalFile) {
        let reason: JournalGap.Reason =
            if file.isDeleted { .deleted } else if file.hasShrunk { .truncated } else { .damaged }
        gaps.append(JournalGap(reason, path: file.path, lost: file.place.lost))
        file.place.lost = 0
    }

    // MARK: The current entry

    package var realtime: UInt64 { entry.realtime }
    package var monotonic: UInt64 { entry.monotonic }

    /// The current entry's cursor.
    package var cursor: String { withCursor { String(decoding: $0, as: UTF8.self) } }

    /// Lends the current entry's fields to `body`, each as `NAME=value`, until it answers false.
    package func forEachField(_ body: (UnsafeRawBufferPointer) -> Bool) {
        guard let current else { return }
        let access: FileMemory.Access = current.place.walk == nil ? .stream : .spot
        let unreadable = current.forEachField(of: entry, access) { line, _ in body(line) }
        if unreadable > 0 { tellOfFields(current) }
    }

    @inline(never)
    private func tellOfFields(_ file: JournalFile) {
        guard !file.hasToldOfFields else { return }
        file.hasToldOfFields = true
        gaps.append(JournalGap(.fields, path: file.path))
    }

    /// Whether a condition holds for the current entry.
    @inline(__always)
    func evaluate(_ condition: (borrowing JournalRecord) -> Bool, _ fields: FieldGatherer) -> Bool {
        guard let current else { return false }
        fields.begin()
        if fields.count > 0 {
            let access: FileMemory.Access = current.place.walk == nil ? .stream : .spot
            let unreadable = current.forEachField(of: entry, access) { line, shared in
                fields.offer(line, shared)
                return !fields.isComplete
            }
            if unreadable > 0 { tellOfFields(current) }
            fields.settle()
        }
        if fields.layout.needsCursor {
            return withCursor {
                condition(fields.record(cursor: $0, realtime: entry.realtime, monotonic: entry.monotonic))
            }
        }
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        return condition(fields.record(cursor: none, realtime: entry.realtime, monotonic: entry.monotonic))
    }
}
