import Filter

@testable import JournalBridge

/// This project's reader, which is compared with libsystemd.
final class ReaderWalk: JournalWalk {
    private let journal: MergedJournal

    init(files paths: [String]) throws { journal = try MergedJournal(files: paths) }

    func seekHead() { journal.seekHead() }
    func seekTail() { journal.seekTail() }
    func seek(realtime: UInt64) { journal.seek(realtime: realtime) }
    func seek(cursor: String) -> Bool { journal.seek(cursor: cursor) }
    func test(cursor: String) -> Bool { journal.test(cursor: cursor) }
    func next() -> Bool { journal.next() }
    func previous() -> Bool { journal.previous() }
    func narrow(to match: Match) { journal.narrow(to: match) }
    func hasGaps() -> Bool { !takeGaps().isEmpty }
    func takeGaps() -> [JournalGap] { journal.takeGaps() }

    /// The cursors of all entries, or of `limit` if a reader goes round in circles.
    func cursors(_ direction: Direction = .forward, limit: Int = .max) -> [String] {
        var cursors: [String] = []
        direction == .forward ? seekHead() : seekTail()
        while cursors.count < limit, direction == .forward ? next() : previous() { cursors.append(entry().cursor) }
        return cursors
    }

    func entry() -> WalkedEntry {
        var fields: [[UInt8]] = []
        journal.forEachField {
            fields.append(Array($0))
            return true
        }
        return WalkedEntry(
            cursor: journal.cursor,
            realtime: journal.realtime,
            monotonic: journal.monotonic,
            fields: fields
        )
    }

    /// Performs all steps, wherever they lead.
    func walk(_ way: JournalPath) {
        if way.match != .everything { narrow(to: way.match) }
        for step in way.steps {
            switch step {
            case .seekHead: seekHead()
            case .seekTail: seekTail()
            case .seekRealtime(let time): seek(realtime: time)
            case .seekCursor(let cursor): _ = seek(cursor: cursor)
            case .testCursor(let cursor): _ = test(cursor: cursor)
            case .next: if next() { _ = entry() }
            case .previous: if previous() { _ = entry() }
            }
        }
    }
}
