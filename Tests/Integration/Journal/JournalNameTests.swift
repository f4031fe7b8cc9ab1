import Foundation
import Glibc
import JournalBridge
import JournalWriter
import TestSupport
import Testing

@Suite("Following a journal file by its name")
struct JournalNameTests {
    private let folder: TemporaryFolder
    private let path: String
    private var reading = Reading()

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("system.journal")
    }

    /// Replaces the file of that name by a new file with these entries.
    private func replace(with sequences: ClosedRange<Int>, source: UInt64 = 1) throws {
        var file = try GrowingJournal(folder.path("new"), source: source)
        try file.append(sequences)
        #expect(rename(file.path, path) == 0)
    }

    private func follow() throws -> JournalReader {
        try JournalReader(.files([path]), from: .head, follow: true)
    }

    @Test("numbers in files that came and went between two checks of the name are reported as missing")
    mutating func missedFiles() throws {
        try replace(with: 1...10)
        let reader = try follow()
        try reading.take(from: reader) { $0.entries.count == 10 }
        try replace(with: 11...20)
        try replace(with: 21...30)
        try reading.take(from: reader) { $0.entries.count == 20 && !$0.gaps.isEmpty }
        #expect(reading.messages == numbers(1...10, 21...30))
        #expect(reading.gaps == [JournalGap(.deleted, lost: 10)])
    }

    @Test(
        "numbers that another journal has are not missing, and it is not known how many are if it has some of them",
        arguments: [20, 15]
    )
    mutating func sharedCounter(_ last: Int) throws {
        try replace(with: 1...10)
        let reader = try follow()
        try reading.take(from: reader) { $0.entries.count == 10 }
        // The next numbers went to a user's journal. A broken file beside it counts for nothing.
        var user = try GrowingJournal(folder.path("user-1000.journal"))
        try user.append(11...last)
        #expect(FileManager.default.createFile(atPath: folder.path("user-1001.journal"), contents: nil))
        try replace(with: 21...30)
        try reading.take(from: reader) { $0.entries.count == 20 }
        try reading.drain(reader)
        #expect(reading.messages == numbers(1...10, 21...30))
        #expect(reading.gaps == (last == 20 ? [] : [JournalGap(.deleted, lost: nil)]))
    }

    @Test("of one kind of journals, numbers of the others are not missing")
    mutating func otherKinds() throws {
        let source = JournalSource.kinds(.system, of: .directory(folder.path("")))
        var user = try GrowingJournal(folder.path("user-1000.journal"))
        try user.append(1...10)
        var system = try GrowingJournal(folder.path("system.journal"))
        try system.append(11...20)
        let reader = try JournalReader(source, from: .head, follow: true)
        try reading.take(from: reader) { $0.entries.count == 10 }
        try user.append(21...29)
        #expect(rename(system.path, folder.path("system@1-b-1.journal")) == 0)
        var next = try GrowingJournal(folder.path("system.journal"))
        try next.append(30...40)
        try reading.take(from: reader) { $0.entries.count == 21 }
        try reading.drain(reader)
        #expect(reading.messages == numbers(11...20, 30...40))
        #expect(reading.gaps == [])
    }

    @Test(
        "numbers of a journal that may not be read are not missing",
        .enabled(if: geteuid() == 0 && Command.exists("/usr/bin/setpriv"), "needs root and setpriv")
    )
    func unreadableJournal() throws {
        let stranger = 65_534
        #expect(chmod(folder.path(""), 0o755) == 0)
        var system = try GrowingJournal(folder.path("system.journal"))
        try system.append(1...10)
        var user = try GrowingJournal(folder.path("user-\(stranger).journal"))
        try user.append(11...20)
        #expect(chmod(user.path, 0o644) == 0)
        // The program may lie where a stranger cannot go.
        let program = folder.path("busctl-rx")
        try FileManager.default.copyItem(atPath: TailProcess.program, toPath: program)
        #expect(chmod(program, 0o755) == 0)
        let process = try TailProcess(
            [
                "--reuid", "\(stranger)", "--clear-groups", program, "tail", "--directory", folder.path(""), "-n",
                "all", "-f",
                "-o", "cat",
            ],
            program: "/usr/bin/setpriv"
        )
        try process.wait(forOutput: "20\n")
        try system.append(21...29)
        #expect(rename(user.path, folder.path("user-\(stranger)@1-b-1.journal")) == 0)
        var next = try GrowingJournal(folder.path("new"))
        try next.append(30...40)
        #expect(chmod(next.path, 0o644) == 0)
        #expect(rename(next.path, user.path) == 0)
        try process.wait(forOutput: "40\n")
        process.send(SIGTERM)
        let ended = try process.end()
        #expect(!ended.errors.contains("deleted"), "\(ended.errors)")
    }

    @Test("a file that begins with entries already read continues after them")
    mutating func copiedFile() throws {
        try replace(with: 1...10)
        let reader = try follow()
        try reading.take(from: reader) { $0.entries.count == 10 }
        try replace(with: 4...20)
        try reading.take(from: reader) { $0.entries.count >= 20 }
        try replace(with: 21...21)
        try reading.take(from: reader) { $0.entries.count >= 21 }
        #expect(reading.messages == numbers(1...21))
        #expect(reading.gaps == [])
    }

    @Test("another journal, smaller and with older times, is read whole")
    mutating func otherJournal() throws {
        try replace(with: 1000...1200)
        let reader = try follow()
        try reading.take(from: reader) { $0.entries.count == 201 }
        try replace(with: 1...5, source: 2)
        try reading.take(from: reader) { $0.entries.count >= 206 }
        #expect(reading.messages == numbers(1000...1200, 1...5))
        #expect(reading.gaps == [])
    }

    @Test("a name without a file for a while, and then with an old empty file that is filled in place")
    mutating func emptyFile() throws {
        try replace(with: 1...10)
        let reader = try follow()
        try reading.take(from: reader) { $0.entries.count == 10 }
        unlink(path)
        for _ in 0..<3 { try look(reader) }
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        var times = [timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0)]
        #expect(utimes(path, &times) == 0)
        try reading.take(from: reader) { !$0.gaps.isEmpty }
        for _ in 0..<3 { try look(reader) }
        var file = try GrowingJournal(path)
        try file.append(11...20)
        try reading.take(from: reader) { $0.entries.count >= 20 }
        #expect(reading.messages == numbers(1...20))
        // The error that the file is no journal was reported once.
        #expect(reading.gaps.map(\.reason) == [.unreadable])
    }

    /// Reads until the reader has checked the name by its timer, as it does every half second where changes are not
    /// announced.
    private mutating func look(_ reader: JournalReader) throws {
        let start = ContinuousClock.now
        try reading.take(from: reader) { _ in start.duration(to: .now) > .milliseconds(600) }
    }
}
