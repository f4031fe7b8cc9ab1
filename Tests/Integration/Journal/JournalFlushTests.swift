import Foundation
import JournalBridge
import TestSupport
import Testing

/// The journal is moved from /run to /var while it is followed, as at the start of every machine.
@Suite(
    "Following a journal that is flushed",
    .serialized,
    .enabled(if: FlushingJournald.isAvailable, Comment(rawValue: FlushingJournald.hint))
)
struct JournalFlushTests {
    @Test("each entry arrives once and in order, before, during and after the move to /var")
    func flush() throws {
        let journald = try FlushingJournald()
        defer { journald.stop() }
        let folder = try TemporaryFolder()
        // Folders of a journal are named after their machine.
        let places = ["": journald.volatileFiles, ".var": journald.persistentFiles]
        for (suffix, place) in places {
            let name = URL(fileURLWithPath: place).lastPathComponent + suffix
            try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: place)
        }
        let query = try JournalQuery.filter("identifier == 'sender'")
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true, query: query)
        var reading = Reading()
        let part = Stress.rounds(400, stress: 4_000)
        for number in 0..<part { try journald.send(number) }
        try reading.take(from: reader) { $0.lastMessage == "\(part / 2)" }
        try journald.flush()
        for number in part..<2 * part { try journald.send(number) }
        try reading.take(from: reader) { $0.lastMessage == "\(2 * part - 1)" }
        #expect(reading.messages == (0..<2 * part).map { "\($0)" })
        #expect(reading.gaps == [])
        let kept = try Reading.all(.directory(folder.path), query: query)
        #expect(kept.messages == reading.messages)
    }
}
