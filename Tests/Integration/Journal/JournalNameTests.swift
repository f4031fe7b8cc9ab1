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
