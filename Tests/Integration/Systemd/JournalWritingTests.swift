import Bus
import Foundation
import JournalBridge
import Records
import SystemdBridge
import TestSupport
import Testing

@Suite(
    "Writing to a real journald",
    .enabled(if: PrivateJournald.isAvailable, Comment(rawValue: PrivateJournald.hint)),
    .serialized
)
struct JournalWritingTests {
    private func messages(_ journald: PrivateJournald, _ identifier: String) throws -> [JournalEntry] {
        try Reading.all(.directory(journald.files), query: .filter("identifier == \"\(identifier)\"")).entries
    }

    /// Waits until this many entries are in the journal. journald reads them asynchronously.
    private func wait(for count: Int, _ journald: PrivateJournald, _ identifier: String) throws -> [JournalEntry] {
        var found: [JournalEntry] = []
        try Deadline.wait("\(count) entries") {
            found = try messages(journald, identifier)
            return found.count >= count
        }
        return found
    }

    @Test("Fields arrive unchanged: text, lines, bytes, repeated fields, twenty megabytes")
    func fields() throws {
        let journald = try PrivateJournald(fileSize: "128M")
        defer { journald.stop() }
        let writer = JournalWriter(socket: journald.entrySocket, identifier: "writing", patience: .seconds(60))
        var message = JournalMessage("one\ntwo", priority: .error, fields: ["UNIT": "nginx.service", "TAG": "a"])
        message.add("b", for: "TAG")
        message.add(bytes: [0, 10, 255, 61], for: "REPORT")
        try writer.write(message)
        let large = String(repeating: "0123456789", count: 2_000_000)
        try writer.write(JournalMessage(large, priority: .debug))

        let entries = try wait(for: 2, journald, "writing")
        #expect(entries.count == 2)
        let first = try #require(entries.first)
        #expect(first["MESSAGE"] == "one\ntwo")
        #expect(first["PRIORITY"] == "3")
        #expect(first["UNIT"] == "nginx.service")
        #expect(first["CODE_FUNC"] == "fields()")
        #expect(first["CODE_FILE"] == "Integration/JournalWritingTests.swift")
        #expect(first["_PID"] == "\(getpid())")
        let isWhole = entries.last?["MESSAGE"] == large
        #expect(isWhole)
    }

    @Test("From many threads nothing is lost, and each thread's order is kept")
    func threads() throws {
        let journald = try PrivateJournald(fileSize: "16M")
        defer { journald.stop() }
        let writer = JournalWriter(socket: journald.entrySocket, identifier: "threads", patience: .seconds(60))
        let failures = Heard<String>()
        let threads = try (0..<4).map { thread in
            try TestThread {
                for index in 0..<500 {
                    do { try writer.write(JournalMessage("\(thread) \(index)")) } catch { failures.append("\(error)") }
                }
            }
        }
        for thread in threads { thread.wait() }
        #expect(failures.values == [])
        var next = [0, 0, 0, 0]
        for entry in try wait(for: 2000, journald, "threads") {
            let words = try #require(entry["MESSAGE"]).split(separator: " ").compactMap { Int($0) }
            #expect(next[words[0]] == words[1])
            next[words[0]] += 1
        }
        #expect(next == [500, 500, 500, 500])
    }

    @Test("When journald restarts, entries not accepted are reported and counted in the journal, and nothing hangs")
    func restart() throws {
        let journald = try PrivateJournald(fileSize: "16M")
        defer { journald.stop() }
        let writer = JournalWriter(socket: journald.entrySocket, identifier: "restart", patience: .seconds(60))
        let source = Subject(of: Int.self)
        let unwritten = Heard<JournalWriteError>()
        let subscription = source.write(to: writer, unwritten: unwritten.append) { JournalMessage("\($0)") }.subscribe()
        defer { subscription.dispose() }

        for value in 0..<100 { source.send(value) }
        _ = try wait(for: 100, journald, "restart")
        journald.halt()
        for value in 100..<150 { source.send(value) }
        #expect(unwritten.values.count == 50)
        #expect(unwritten.values.allSatisfy { $0.reason == .absent })
        try journald.start()
        let before = unwritten.values.count
        var value = 150
        try Deadline.wait("journald to be back") {
            source.send(value)
            value += 1
            return unwritten.values.count - before < value - 150
        }
        let missing = unwritten.values.count
        for value in value..<value + 10 { source.send(value) }
        let entries = try wait(for: 100 + 1 + 1 + 10, journald, "restart")
        let note = try #require(entries.first { $0["LOST"] != nil })
        #expect(note["LOST"] == "\(missing)")
        #expect(entries.count == 112)
        #expect(entries.compactMap { $0["MESSAGE"] }.last == "\(value + 9)")
    }
}
