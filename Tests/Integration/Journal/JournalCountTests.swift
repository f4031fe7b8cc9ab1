import Foundation
import Glibc
import JournalBridge
import JournalWriter
import TestSupport
import Testing

/// Files that are followed while their header counts entries that cannot be read, either not yet or no longer.
@Suite("Following files whose header counts more entries than they hold")
struct JournalCountTests {
    private let folder: TemporaryFolder
    private var reading = Reading()

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path(name) }

    @Test("an entry is read even if the header counted it before it pointed to it")
    mutating func headerBetweenChanges() throws {
        var file = try GrowingJournal(path("one.journal"))
        try file.write()
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        try reading.drain(reader)
        try file.append(1...1)
        let first = try file.exchangeFirstArray(0)
        try reading.drain(reader)
        #expect(reading.messages == [])
        _ = try file.exchangeFirstArray(first)
        try reading.drain(reader)
        #expect(reading.messages == ["1"])
        try file.append(2...2)
        try reading.drain(reader)
        #expect(reading.messages == ["1", "2"])
        #expect(reading.gaps == [])
    }

    @Test("entries that a file counts without listing them are found")
    mutating func unlisted() throws {
        var file = try GrowingJournal(path("one.journal"))
        try file.write()
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        for numbers in [1...3, 4...4, 5...9] {
            try file.append(numbers)
            let first = try file.exchangeFirstArray(0)
            try reading.take(from: reader) { $0.lastMessage == "\(numbers.upperBound)" }
            _ = try file.exchangeFirstArray(first)
        }
        try file.append(10...10)
        try reading.take(from: reader) { $0.lastMessage == "10" }
        #expect(reading.messages == numbers(1...10))
        #expect(reading.gaps == [])
    }

    @Test(
        "a number that journald assigned and then did not use is not reported as missing",
        arguments: [(given: 1, lost: 0), (given: 3, lost: 3)]
    )
    mutating func unusedNumber(given: Int, lost: Int) throws {
        var file = try GrowingJournal(path("one.journal"))
        try file.append(1...5)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        try reading.drain(reader)
        // The header's last number.
        let descriptor = open(file.path, O_RDWR | O_CLOEXEC)
        var last = UInt64(5 + given).littleEndian
        #expect(pwrite(descriptor, &last, 8, 160) == 8)
        close(descriptor)
        var next = try GrowingJournal(path("two.journal"))
        try next.append(6 + given...8 + given)
        try reading.take(from: reader) { $0.lastMessage == "\(8 + given)" }
        #expect(reading.messages == numbers(1...5, 6 + given...8 + given))
        #expect(reading.gaps.map(\.lost) == (lost == 0 ? [] : [lost]))
    }

    @Test("entries counted and then erased before they were read are reported once", arguments: [0, 3])
    mutating func erased(read: Int) throws {
        var file = try GrowingJournal(path("one.journal"))
        try file.write()
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        if read > 0 { try file.append(1...read) }
        try reading.drain(reader)
        try file.append(read + 1...200, isErased: true)
        unlink(file.path)
        var next = try GrowingJournal(path("two.journal"))
        try next.append(203...204)
        try reading.take(from: reader) { $0.lastMessage == "204" }
        try reading.drain(reader)
        #expect(reading.messages == numbers(1...max(read, 1)).prefix(read) + ["203", "204"])
        #expect(reading.gaps.map(\.lost).reduce(0) { $0 + ($1 ?? -1000) } == 202 - read)
    }

    @Test(
        "a file that is zeroed while it is read loses exactly the unread entries",
        arguments: [true, false],
        [true, false]
    )
    mutating func zeroedFile(isDeleted: Bool, follow: Bool) throws {
        let count = Stress.rounds(6_000, stress: 30_000)
        var file = try GrowingJournal(path("a.journal"))
        try file.append(1...count)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: follow)
        try reading.take(from: reader) { $0.entries.count == 100 }
        // As journald deletes a file: it also erases the contents, which a reader may still have open.
        let descriptor = open(file.path, O_RDWR | O_CLOEXEC)
        if isDeleted { unlink(file.path) }
        let zeros = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        #expect(pwrite(descriptor, zeros, zeros.count, 0) == zeros.count)
        close(descriptor)
        try reading.drain(reader)
        #expect(reading.messages == numbers(1...reading.entries.count))
        #expect(reading.gaps.filter { $0.reason != .fields }.map(\.reason) == [isDeleted ? .deleted : .damaged])
        #expect(reading.gaps.reduce(0) { $0 + ($1.lost ?? 0) } == count - reading.entries.count)
        guard follow else { return }
        try expectNextFile(after: count, reader)
    }

    @Test("a live file truncated to nothing loses the unread entries, and the next file is read")
    mutating func emptiedFile() throws {
        let count = Stress.rounds(6_000, stress: 30_000)
        var file = try GrowingJournal(path("a.journal"))
        try file.append(1...count)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        try reading.take(from: reader) { $0.entries.count == 100 }
        #expect(truncate(file.path, 0) == 0)
        try reading.drain(reader)
        #expect(reading.gaps.reduce(0) { $0 + ($1.lost ?? 0) } == count - reading.entries.count)
        try expectNextFile(after: count, reader)
    }

    @Test("a live file truncated after its header loses the entries that the header counts")
    mutating func headerAlone() throws {
        var file = try GrowingJournal(path("a.journal"))
        try file.append(1...3)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        try reading.drain(reader)
        try file.append(4...200)
        #expect(truncate(file.path, 264) == 0)
        try reading.drain(reader)
        #expect(reading.messages == numbers(1...3))
        #expect(reading.gaps.map(\.lost) == [197])
        try expectNextFile(after: 200, reader)
    }

    /// The next file is read whole, and all missing entries of the previous one are reported.
    private mutating func expectNextFile(after count: Int, _ reader: JournalReader) throws {
        var next = try GrowingJournal(path("b.journal"))
        try next.append((count + 1)...(count + 10))
        try reading.drain(reader)
        #expect(reading.messages.suffix(10) == numbers((count + 1)...(count + 10))[...])
        #expect(reading.gaps.reduce(0) { $0 + ($1.lost ?? 0) } == count + 10 - reading.entries.count)
    }

    @Test("an entry with an impossible number hides no other, forwards and backwards")
    func wildNumber() throws {
        var first = try GrowingJournal(path("a.journal"))
        for numbers in [1...2, 1 << 40...1 << 40, 4...5] { try first.append(numbers) }
        var second = try GrowingJournal(path("b.journal"))
        try second.append(6...10)
        let expected = numbers(1...2, 4...10, 1 << 40...1 << 40)
        let source = JournalSource.directory(folder.path)
        let forwards = try Reading.all(source)
        #expect(forwards.messages.sorted() == expected.sorted())
        #expect(forwards.gaps == [])
        let last = try Reading.all(source, from: .tail(20))
        #expect(last.messages.sorted() == expected.sorted())
    }

    @Test("two entries with the same number are both read, forwards and backwards")
    func sameNumber() throws {
        var file = try GrowingJournal(path("a.journal"))
        try file.append(1...3)
        try file.append(3...3, monotonic: 2500)
        try file.append(4...5)
        let source = JournalSource.directory(folder.path)
        for start in [JournalStart.head, .tail(20)] {
            let read = try Reading.all(source, from: start)
            #expect(read.messages.sorted() == ["1", "2", "3", "3", "4", "5"])
            #expect(read.gaps == [])
        }
    }
}
