import Filter

/// libsystemd with one fault, to show that the comparison detects it.
final class FaultyWalk: JournalWalk {
    enum Fault: CaseIterable {
        case skipsAnEntry, repeatsAnEntry, sortsFields, dropsRepeatedField, wrongCursor, wrongTime, endsEarly
        case laterRealtime, ignoresTheCursor, acceptsAnyCursor, ignoresTheMatch, staysAtTheTurn, reportsGaps
    }

    private let journal: LibsystemdWalk
    private let fault: Fault
    private var steps = 0
    private var wasForward = true

    init(files paths: [String], _ fault: Fault) throws {
        journal = try LibsystemdWalk(files: paths)
        self.fault = fault
    }

    func seekHead() { journal.seekHead() }
    func seekTail() { journal.seekTail() }
    func seek(realtime: UInt64) { journal.seek(realtime: fault == .laterRealtime ? realtime &+ 1 : realtime) }
    func test(cursor: String) -> Bool { journal.test(cursor: cursor) }
    func hasGaps() -> Bool { fault == .reportsGaps }
    func next() -> Bool { step(isForward: true) }
    func previous() -> Bool { step(isForward: false) }

    func seek(cursor: String) -> Bool {
        if fault == .ignoresTheCursor {
            journal.seekHead()
            return true
        }
        return journal.seek(cursor: cursor) || fault == .acceptsAnyCursor
    }

    func narrow(to match: Match) {
        if fault != .ignoresTheMatch { journal.narrow(to: match) }
    }

    func entry() -> WalkedEntry {
        var entry = journal.entry()
        switch fault {
        case .sortsFields: entry.fields.sort { $0.lexicographicallyPrecedes($1) }
        case .wrongCursor: entry.cursor.removeLast()
        case .wrongTime: entry.realtime = entry.monotonic
        case .dropsRepeatedField:
            var seen: Set<ArraySlice<UInt8>> = []
            entry.fields = entry.fields.filter { seen.insert($0.prefix { $0 != UInt8(ascii: "=") }).inserted }
        default: break
        }
        return entry
    }

    private func step(isForward: Bool) -> Bool {
        steps += 1
        defer { wasForward = isForward }
        if fault == .staysAtTheTurn, wasForward != isForward, steps > 1 { _ = move(isForward: !isForward) }
        if fault == .skipsAnEntry, steps == 4 { _ = move(isForward: isForward) }
        if fault == .repeatsAnEntry, steps == 4 { _ = move(isForward: !isForward) }
        if fault == .endsEarly, steps % 10 == 0 { return false }
        return move(isForward: isForward)
    }

    private func move(isForward: Bool) -> Bool { isForward ? journal.next() : journal.previous() }
}
