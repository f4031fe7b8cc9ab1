import Foundation
import Glibc
import JournalBridge
import SystemPackage
import Testing

@Suite(
    "Journals that are damaged, missing or not readable",
    .serialized,
    .enabled(if: SyntheticJournal.isAvailable, Comment(rawValue: SyntheticJournal.hint))
)
struct JournalDamageTests {
    @Test("anything but a journal is refused, with what it is")
    func notJournals() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path("empty.journal")))
        try Data("hello".utf8).write(to: URL(fileURLWithPath: folder.path("text.journal")))
        try Data("LPKSHHRH".utf8).write(to: URL(fileURLWithPath: folder.path("stub.journal")))
        let cases: [(JournalSource, CInt, String)] = [
            (.files([folder.path("empty.journal")]), ENODATA, "it is empty"),
            (.files([folder.path("text.journal")]), EBADMSG, "it is not a journal"),
            (.files([folder.path("stub.journal")]), ENODATA, "ends within its header"),
            (.files([folder.path("missing.journal")]), ENOENT, "No such file"),
            (.files([folder.path]), EISDIR, "it is a directory"),
            (.files(["/dev/null"]), EINVAL, "not a regular file"),
            (.directory(folder.path("text.journal")), ENOTDIR, "not a directory"),
            (.directory(folder.path("missing")), ENOENT, "No such file"),
            (.directory("/proc/self/task"), ENOENT, "no journal file in it"),
            (.namespace("there-is-none"), ENOENT, "does not exist"),
        ]
        for (source, code, words) in cases {
            let error = #expect(throws: JournalError.self) { _ = try Reading.all(source) }
            #expect(error?.errno == Errno(rawValue: code), "\(source)")
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        }
    }

    @Test("of several files the readable ones are read, and the others reported")
    func partlyReadable() throws {
        let journal = try SyntheticJournal(messages: 10)
        let reading = try Reading.all(.files([journal.folder.path("missing.journal"), journal.path]))
        #expect(reading.messages == (0..<10).map { "\($0)" })
        #expect(reading.gaps.map(\.reason) == [.unreadable])
        #expect(reading.gaps.first?.errno == .noSuchFileOrDirectory)
    }

    @Test("an invalid cursor is refused")
    func badCursor() throws {
        let journal = try SyntheticJournal(messages: 3)
        let error = #expect(throws: JournalError.self) {
            _ = try Reading.all(.files([journal.path]), from: .cursor("nonsense"))
        }
        #expect(error?.description.contains("it is not a cursor") == true)
    }

    @Test("reading starts after a cursor, at a time, or with the last n")
    func starts() throws {
        let journal = try SyntheticJournal(messages: 100)
        let all = try Reading.all(.files([journal.path]))
        #expect(all.messages == (0..<100).map { "\($0)" })
        for index in [0, 41, 98, 99] {
            let rest = try Reading.all(.files([journal.path]), from: .cursor(all.entries[index].cursor))
            #expect(rest.messages == ((index + 1)..<100).map { "\($0)" })
            let from = try Reading.all(.files([journal.path]), from: .time(all.entries[index].realtime))
            #expect(from.messages == (index..<100).map { "\($0)" })
        }
        for count in [0, 1, 7, 100, 1000] {
            let last = try Reading.all(.files([journal.path]), from: .tail(count))
            #expect(last.messages == (max(0, 100 - count)..<100).map { "\($0)" })
        }
        let query = try JournalQuery.filter("message.endsWith('7')")
        #expect(try Reading.all(.files([journal.path]), from: .tail(3), query: query).messages == ["77", "87", "97"])
        #expect(try Reading.all(.files([journal.path]), from: .tail(30), query: query).messages.count == 10)
        // After a cursor whose entry the filter does not select, no selected entry is skipped.
        let after = try Reading.all(
            .files([journal.path]),
            from: .cursor(all.entries[46].cursor),
            query: .filter("MESSAGE == '47'")
        )
        #expect(after.messages == ["47"])
    }

    @Test(
        "a file that shrinks while it is read loses what was cut off, but neither the process nor the rest",
        arguments: [true, false]
    )
    func shrinkingFile(isNamed: Bool) throws {
        let journal = try SyntheticJournal.large()
        let source: JournalSource = isNamed ? .files([journal.path]) : .directory(journal.folder.path)
        let reader = try JournalReader(source, from: .head, follow: false)
        var reading = Reading()
        try reading.take(from: reader) { $0.entries.count >= 100 }
        let size = try #require(FileManager.default.attributesOfItem(atPath: journal.path)[.size] as? Int)
        #expect(truncate(journal.path, size * 3 / 4) == 0)
        try reading.take(from: reader) { _ in false }
        #expect(reading.entries.count > 1000)
        #expect(reading.entries.count < 20_000)
        #expect(reading.messages == (0..<reading.entries.count).map { "\($0)" })
        #expect(reading.gaps.map(\.reason) == [.truncated])
        #expect(reading.gaps.first?.lost == 20_000 - reading.entries.count)
    }

    @Test("what is left of a truncated file is read", arguments: [0.55, 0.7, 0.9])
    func truncatedFile(part: Double) throws {
        let journal = try SyntheticJournal.large()
        let size = try #require(FileManager.default.attributesOfItem(atPath: journal.path)[.size] as? Int)
        let length = Int(Double(size) * part)
        #expect(truncate(journal.path, length) == 0)
        let reading = try Reading.all(.files([journal.path]))
        #expect(reading.gaps.allSatisfy { $0.reason == .damaged })
        #expect(reading.gaps.reduce(0) { $0 + ($1.lost ?? 0) } == 20_000 - reading.entries.count)
        #expect(reading.entries.count > 1000)
        #expect(reading.messages == (0..<reading.entries.count).map { "\($0)" })
        // The filter's index cannot be used in a damaged file, and is not read.
        let found = try Reading.all(.files([journal.path]), query: .filter("MESSAGE == '77' && identifier == 'test'"))
        #expect(found.messages == ["77"])
    }

    @Test("the rest of a file with an overwritten middle is read", arguments: [UInt8(0), 0xFF])
    func overwrittenFile(with byte: UInt8) throws {
        let journal = try SyntheticJournal.large()
        let file = try #require(FileHandle(forUpdatingAtPath: journal.path))
        try file.seek(toOffset: 5_000_000)
        try file.write(contentsOf: Data(repeating: byte, count: 1_000_000))
        try file.close()
        let reading = try Reading.all(.files([journal.path]))
        // Entries around the damage have fields in it.
        #expect(reading.gaps.map(\.reason).sorted { "\($0)" < "\($1)" } == [.damaged, .fields])
        #expect(reading.gaps.reduce(0) { $0 + ($1.lost ?? 0) } == 20_000 - reading.entries.count)
        #expect(reading.entries.count > 14_000)
        #expect(reading.messages.last == "19999")
        #expect(Set(reading.messages).count == reading.messages.count)
    }

    @Test("an unreadable file is an error that says which permission is missing", .enabled(if: geteuid() == 0))
    func unreadableFile() throws {
        let journal = try SyntheticJournal(messages: 3)
        #expect(chmod(journal.path, 0) == 0)
        #expect(chmod(journal.folder.path, 0o755) == 0)
        // Accesses files as the user nobody, on this thread alone.
        _ = setfsuid(65534)
        let error = #expect(throws: JournalError.self) { _ = try Reading.all(.files([journal.path])) }
        let inFolder = #expect(throws: JournalError.self) { _ = try Reading.all(.directory(journal.folder.path)) }
        _ = setfsuid(0)
        #expect(error?.errno == .permissionDenied)
        #expect(error?.description.contains("systemd-journal") == true)
        #expect(inFolder?.errno == .permissionDenied)
    }
}

@_silgen_name("setfsuid")
private func setfsuid(_ user: UInt32) -> Int32
