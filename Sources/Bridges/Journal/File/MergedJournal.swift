package import Filter
import Glibc

/// Several journal files as one journal: their entries in one order, each once, forwards and backwards, from any place.
///
/// The order is that of libsystemd 252, see ``EntryKey``: at each step, the first of all files' next entries. An
/// entry that does not come after the current one is skipped, which hides copies of entries in other files. Cursors
/// are those of journalctl.
///
/// It is used on one thread. It waits for nothing but the files, and never fails: unreadable entries are left out and
/// reported as gaps.
package final class MergedJournal {
    /// The position from which reading goes on.
    enum Location {
        case head
        case tail
        case seek(SeekPoint)
        /// At the current entry.
        case at(EntryKey)
    }

    let memory = FileMemory()
    let descriptors = DescriptorPool()
    private(set) var files: [JournalFile] = []
    /// The file of the current entry.
    var current: JournalFile? { steps.pointee.file?.takeUnretainedValue() }

    private func setCurrent(_ file: JournalFile?) { steps.pointee.file = file.map { Unmanaged.passUnretained($0) } }
    /// The current entry's sort key.
    @inline(__always)
    var key: EntryKey { steps.pointee.last }

    /// The contents of the current entry's object.
    @inline(__always)
    var entry: EntryRef { steps.pointee.last.entry }

    private var location = Location.head
    private let steps = UnsafeMutablePointer<ReadingAhead>.allocate(capacity: 1)
    private(set) var direction = Direction.forward
    private var planner = AccessPlanner()
    /// The next entry is still being searched for.
    private(set) var isSearching = false
    /// Found and not taken yet.
    var gaps: [JournalGap] = []
    private var lastNumber: UInt64 = 0
    /// For each source of sequence numbers, the last number that was read before a file of it was closed.
    private(set) var closed: [ID128: UInt64] = [:]

    init() {
        steps.initialize(to: ReadingAhead())
    }

    deinit {
        steps.deallocate()
    }

    /// Opens files. Among equal entries that of the first file counts.
    ///
    /// - Throws: if one of the files cannot be read at all.
    package convenience init(files paths: [String]) throws(JournalError) {
        self.init()
        for path in paths { try add(path) }
    }

    /// Reads one of another journal's files, which that one does not read meanwhile.
    convenience init(_ file: JournalFile) {
        self.init()
        files = [file]
    }

    /// Opens a further file.
    @discardableResult
    func add(_ path: String) throws(JournalError) -> JournalFile {
        lastNumber += 1
        let file = try JournalFile(path, number: lastNumber, memory: memory, descriptors: descriptors)
        endReadingAhead()
        files.append(file)
        file.readWholeHeader()
        // If a file ends early or its list of entries is broken, its remaining entries are searched for at once, from
        // both ends.
        if !file.entries.isComplete || file.header.end > UInt64(file.size) && file.header.state != 1 {
            _ = file.repair()
        }
        planner.prepare(file)
        return file
    }

    /// Opens a file that came while the journal was read to its end. It goes on where the files before it have ended.
    func addNew(_ path: String) throws(JournalError) -> JournalFile {
        let file = try add(path)
        file.foundBehind = lastSequence(of: file.header.sequenceID)
        file.indexScan = nil
        file.valueScan = nil
        file.place.ended = 0
        return file
    }

    /// Lets go of a file.
    func remove(_ file: JournalFile) {
        endReadingAhead()
        closed[file.header.sequenceID] = lastSequence(of: file.header.sequenceID)
        if current === file { setCurrent(nil) }
        files.removeAll { $0 === file }
    }

    /// All files are compared again at the next step.
    func endReadingAhead() {
        guard steps.pointee.isAhead else { return }
        location = .at(steps.pointee.last)
        steps.pointee.isAhead = false
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

    /// Whether a text is a cursor, of whatever journal.
    package static func isCursor(_ text: String) -> Bool { SeekPoint(cursor: text) != nil }

    /// When the journal received the entry of a cursor, in microseconds since 1970, where the cursor says it.
    package static func realtime(ofCursor text: String) -> UInt64? { SeekPoint(cursor: text)?.realtime }

    /// Whether the current entry is that of the cursor.
    package func test(cursor: String) -> Bool {
        guard current != nil, let point = SeekPoint(cursor: cursor) else { return false }
        return point.isMet(by: key)
    }

    func seek(_ location: Location) {
        steps.pointee.isAhead = false
        self.location = location
        setCurrent(nil)
        forgetPlaces()
    }

    func setCurrent(_ file: JournalFile, _ entry: EntryRef) {
        setCurrent(file)
        steps.pointee.last = EntryKey(sequenceID: file.header.sequenceID, entry: entry)
    }

    /// The next step will be one forward.
    func goForward() { direction = .forward }

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
        plan(with: AccessPlanner(to: MatchTerms(match), always: true))
    }

    /// Leaves out entries that are not wanted, from the head on.
    func plan(with planner: AccessPlanner) {
        self.planner = planner
        for file in files { planner.prepare(file) }
        seek(.head)
    }

    /// Searches values too from the next step on.
    func searchValues() {
        guard planner.search != nil, !planner.searchesValues else { return }
        planner.searchesValues = true
        for file in files { planner.prepare(file) }
        guard current != nil else { return }
        location = .at(key)
        steps.pointee.isAhead = false
        forgetPlaces()
    }

    // MARK: Steps

    /// Goes to the next entry. False if there is none, and the current one stays.
    package func next() -> Bool { moveToEnd(.forward) }
    package func previous() -> Bool { moveToEnd(.backward) }

    private func moveToEnd(_ direction: Direction) -> Bool {
        while !move(direction) { guard isSearching else { return false } }
        return true
    }

    /// The same, in small steps: false too while ``isSearching``.
    @inline(__always)
    func move(_ direction: Direction) -> Bool {
        if direction == .forward, steps.pointee.isAhead, let file = steps.pointee.file,
            file._withUnsafeGuaranteedRef({ $0.stepAhead(before: steps) })
        {
            return true
        }
        return choose(direction)
    }

    /// Compares the next entries of all files.
    @inline(never)
    private func choose(_ direction: Direction) -> Bool {
        if case .at = location, steps.pointee.isAhead { location = .at(steps.pointee.last) }
        steps.pointee.isAhead = false
        if direction != self.direction {
            self.direction = direction
            if current != nil { location = .at(key) }
            forgetPlaces()
        }
        isSearching = false
        var best: JournalFile?
        for file in files where hasNext(file) {
            guard let other = best else {
                best = file
                continue
            }
            let order = file.place.key.compare(other.place.key)
            if direction == .forward ? order < 0 : order > 0 { best = file }
            // An entry that is still being searched for comes later.
            if order == 0, case .ahead = other.place.state { best = file }
        }
        guard let best else { return false }
        if case .ahead = best.place.state {
            if !best.step(direction) { _ = ended(best) }
            isSearching = true
            return false
        }
        if direction == .forward, best.place.index >= best.readLimit { return false }
        if best.place.lost > 0 { tellLoss(of: best) }
        best.place.state = .taken
        best.place.lastSequence = best.place.key.entry.sequence
        setCurrent(best)
        steps.pointee.last = best.place.key
        // Entries of other files are not skipped because of an impossible number.
        guard best.place.key.entry.sequence <= best.header.tailSequence else { return true }
        location = .at(best.place.key)
        if direction == .forward { beginReadingAhead(best) }
        return true
    }

    /// Finds out how far reading can go on in one file without another comparison of all: to the first entry of the
    /// others, where all sequence numbers have one source and so one order.
    private func beginReadingAhead(_ best: JournalFile) {
        guard !best.place.hasIndexScan else { return }
        var next = UInt64.max
        for file in files where file !== best {
            switch file.place.state {
            case .end: continue
            case .found where file.header.sequenceID == best.header.sequenceID:
                next = min(next, file.place.key.entry.sequence)
            default: return
            }
        }
        steps.pointee.nextOfOthers = next
        steps.pointee.isAhead = true
    }

    /// Whether the file has an entry beyond the current one, which then is found.
    @inline(__always)
    private func hasNext(_ file: JournalFile) -> Bool {
        switch file.place.state {
        case .found: break
        case .ahead: return true
        case .taken: guard file.step(direction) else { return ended(file) }
        case .unknown: guard file.locate(start(of: file, location), direction) else { return ended(file) }
        case .end(let count):
            guard file.count != count else { return false }
            let isAll = file.indexScan == nil && file.valueScan == nil
            let isNew = isAll && file.place.key.entry.offset == 0
            if !isAll { file.readOn(from: count) }
            guard isNew ? file.locate(start(of: file, location), direction) : file.step(direction) else {
                return ended(file)
            }
        }
        guard case .at(let key) = location else { return true }
        while true {
            if case .ahead = file.place.state { return true }
            let order = file.place.key.compare(key)
            let isBeyond = direction == .forward ? order > 0 : order < 0
            if isBeyond, file === current || !file.place.key.isCopy(of: key) { return true }
            if direction == .forward, isLate(file, key), !isElsewhere(file) { return true }
            if order != 0, file.contradictsItself(direction) { return true }
            guard file.step(direction) else { return ended(file) }
        }
    }

    private func ended(_ file: JournalFile) -> Bool {
        if file.place.lost > 0 { tellLoss(of: file) }
        return false
    }

    // MARK: The current entry

    package var realtime: UInt64 { entry.realtime }
    package var monotonic: UInt64 { entry.monotonic }

    /// The current entry's cursor.
    package var cursor: String { withCursor { String(decoding: $0, as: UTF8.self) } }

    /// Lends the current entry's fields to `body`, each as `NAME=value`, until it returns false.
    package func forEachField(_ body: (UnsafeRawBufferPointer) -> Bool) {
        forEachField { line, _ in body(line) }
    }

    /// The same, with the place of a value that many entries have in common.
    @inline(__always)
    func forEachField(_ body: (UnsafeRawBufferPointer, UnsafeMutablePointer<SharedValues.Value>?) -> Bool) {
        guard let fileEntry else { return }
        if fileEntry.forEachField(body) > 0 { tellOfFields() }
    }

    /// The place of the current entry.
    @inline(__always)
    var fileEntry: FileEntry? {
        steps.pointee.file.map { file in
            FileEntry(
                file: file,
                key: steps.pointee.last,
                access: file._withUnsafeGuaranteedRef { $0.place.access }
            )
        }
    }

    /// Whether a condition holds for the current entry.
    @inline(__always)
    func evaluate(_ condition: (borrowing JournalRecord) -> Bool, _ fields: FieldGatherer) -> Bool {
        guard steps.pointee.file != nil else { return false }
        fields.begin()
        if fields.count > 0 {
            forEachField { line, shared in
                fields.offer(line, shared)
                return !fields.isComplete
            }
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
