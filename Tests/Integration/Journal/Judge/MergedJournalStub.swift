import Filter

@testable import JournalBridge

/// Stands in for the reader until there is one.
final class MergedJournal {
    private let journal: LibsystemdWalk

    init(files paths: [String]) throws { journal = try LibsystemdWalk(files: paths) }

    func seekHead() { journal.seekHead() }
    func seekTail() { journal.seekTail() }
    func seek(realtime: UInt64) { journal.seek(realtime: realtime) }
    func seek(cursor: String) -> Bool { journal.seek(cursor: cursor) }
    func test(cursor: String) -> Bool { journal.test(cursor: cursor) }
    func next() -> Bool { journal.next() }
    func previous() -> Bool { journal.previous() }
    var cursor: String { journal.entry().cursor }
    var realtime: UInt64 { journal.entry().realtime }
    var monotonic: UInt64 { journal.entry().monotonic }
    func narrow(to match: Match) { journal.narrow(to: match) }
    func takeGaps() -> [JournalGap] { [] }

    func forEachField(_ body: (UnsafeRawBufferPointer) -> Bool) {
        for field in journal.entry().fields where !field.withUnsafeBytes(body) { return }
    }
}
