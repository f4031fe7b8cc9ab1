import Foundation
import JournalWriter
import Testing

@testable import JournalBridge

/// Damage as it occurs in practice. Each remaining entry is read. The lost ones are reported once, at their place.
@Suite("Losses are reported once and at their places")
struct JournalLossTests {
    private typealias Header = JournalFileWriter.HeaderField
    private typealias Field = JournalObjectField

    private static let count = 300

    /// The entries' messages are their numbers, so each message has its own place.
    private static func written(_ form: JournalFileForm = JournalFileForm()) -> (
        bytes: [UInt8], arrays: [Int], entries: [Int]
    ) {
        let writer = HostileJournalTests.writer(count, form)
        var bytes = writer.bytes()
        var arrays = [HostileJournalTests.number(bytes, Header.entryArray)]
        while let last = arrays.last, case let next = HostileJournalTests.number(bytes, last + Field.nextArray),
            next > 0
        {
            arrays.append(next)
        }
        bytes[Header.state] = form.state.rawValue
        return (bytes, arrays, writer.places.filter { $0.kind == .entry }.map(\.offset))
    }

    /// Reads forwards, backwards and the last entries. Expects all remaining entries, and as many reported losses as
    /// there are.
    private func check(_ bytes: [UInt8], left: [UInt64], gaps: [(place: Int, lost: Int)]) throws {
        let file = try MemoryFile(bytes)
        let read = try HostileRead(file.path)
        #expect(read.sequences == left)
        #expect(read.gapPlaces == gaps.map(\.place))
        #expect(read.gaps.map(\.lost) == gaps.map(\.lost))
        let back = try Way(file.path, .back(JournalRetreat()))
        #expect(back.sequences == left.reversed())
        #expect(back.gapPlaces == gaps.reversed().map { left.count - $0.place })
        #expect(back.lost == gaps.reduce(0) { $0 + $1.lost })
        for count in [left.count, left.count + 10, left.count / 2] {
            let tail = try Way(file.path, .onward(from: .tail(count), follow: false))
            let first = max(left.count - count, 0)
            #expect(tail.sequences == left.suffix(count))
            // Entries missing before the first of them are reported before it.
            #expect(tail.lost == gaps.reduce(0) { $0 + $1.lost })
            let places = gaps.map { max($0.place - first, 0) }
            #expect(Set(tail.gapPlaces) == Set(places))
        }
    }

    private struct Way {
        var sequences: [UInt64] = []
        var lost = 0
        var gapPlaces: [Int] = []

        init(_ path: String, _ course: JournalCourse) throws {
            let reader = try JournalReader(.files([path]), course)
            while true {
                switch try reader.advance() {
                case .entry: sequences.append(reader.journal.entry.sequence)
                case .gap(let gap):
                    lost += gap.lost ?? 0
                    gapPlaces.append(sequences.count)
                case .busy, .caughtUp: break
                case .end: return
                }
            }
        }
    }

    @Test("a header that counts more entries than there are", arguments: JournalFileForm.State.allCases, [1, 2, 50])
    func overcounted(state: JournalFileForm.State, more: Int) throws {
        var form = JournalFileForm()
        form.state = state
        var bytes = Self.written(form).bytes
        HostileJournalTests.set(&bytes, Header.entryCount, to: Self.count + more)
        try check(bytes, left: (1...300).map { $0 }, gaps: [(300, more)])
    }

    @Test("a slot of the file's array that is no valid offset", arguments: [0, 3, .max - 7, 264] as [UInt64])
    func badSlot(slot: UInt64) throws {
        var (bytes, arrays, _) = Self.written()
        HostileJournalTests.set(&bytes, arrays[2] + Field.slots + 8 * 5, to: slot)
        try check(bytes, left: (1...300).map { $0 }, gaps: [])
    }

    @Test("a slot that leads to an earlier or a later entry", arguments: [1, 17, 18, 19, 20, 250, 299])
    func doubleSlot(entry: Int) throws {
        var (bytes, arrays, entries) = Self.written()
        HostileJournalTests.set(&bytes, arrays[2] + Field.slots + 8 * 5, to: entries[entry])
        try check(bytes, left: (1...300).map { $0 }, gaps: [])
    }

    @Test("a time is found although a slot leads to another entry", arguments: [1, 250])
    func seekingDoubleSlot(entry: Int) throws {
        for slot in [4, 40, 80, 99] {
            var (bytes, arrays, entries) = Self.written()
            let last = try #require(arrays.last)
            HostileJournalTests.set(&bytes, last + Field.slots + 8 * slot, to: entries[entry])
            let file = try MemoryFile(bytes)
            for time in stride(from: UInt64(3), to: 300, by: 3) {
                let journal = try MergedJournal(files: [file.path])
                journal.seek(realtime: time)
                #expect(journal.next())
                #expect(journal.realtime == time)
            }
        }
    }

    @Test("entries that are overwritten with zeros")
    func zeroedEntries() throws {
        var (bytes, _, entries) = Self.written()
        for index in [10, 11, 200] { for byte in 0..<64 { bytes[entries[index] + byte] = 0 } }
        let left = (1...300).filter { ![11, 12, 201].contains($0) }.map { UInt64($0) }
        try check(bytes, left: left, gaps: [(10, 2), (198, 1)])
    }

    @Test("an array whose next one lies before it")
    func arrayGoingBack() throws {
        var (bytes, arrays, _) = Self.written()
        HostileJournalTests.set(&bytes, arrays[2] + Field.nextArray, to: arrays[0])
        try check(bytes, left: (1...300).map { $0 }, gaps: [])
    }

    @Test("a file that is cut", arguments: [50, 80, 95])
    func cutFile(percent: Int) throws {
        let (bytes, _, entries) = Self.written()
        let size = bytes.count * percent / 100 & ~7
        let left = entries.filter { $0 + 96 <= size }.count
        try check(Array(bytes[..<size]), left: (1...UInt64(left)).map { $0 }, gaps: [(left, 300 - left)])
    }

    @Test("an object whose size spans entries, while no array leads to them")
    func spanningObject() throws {
        let writer = HostileJournalTests.writer(Self.count)
        var (bytes, arrays, entries) = Self.written()
        for index in arrays.indices { bytes[arrays[index]] = 0 }
        let data = try #require(writer.places.first { $0.kind == .data && $0.offset > entries[99] })
        HostileJournalTests.set(&bytes, data.offset + Field.size, to: entries[200] - data.offset + 4)
        try check(bytes, left: (1...300).map { $0 }, gaps: [])
    }

    @Test("losses are reported once, in whichever direction and however often the file is read")
    func once() throws {
        var (bytes, _, entries) = Self.written()
        for index in [10, 200] { for byte in 0..<64 { bytes[entries[index] + byte] = 0 } }
        let file = try MemoryFile(bytes)
        let journal = try MergedJournal(files: [file.path])
        var lost = 0
        for _ in 0..<3 {
            journal.seekTail()
            while journal.previous() {}
            journal.seekHead()
            while journal.next() {}
            lost += journal.takeGaps().reduce(0) { $0 + ($1.lost ?? 0) }
        }
        #expect(lost == 2)
        // Damaged again, and read again.
        for byte in 0..<64 { bytes[entries[250] + byte] = 0 }
        try file.write(bytes)
        journal.files[0].refresh(force: true)
        journal.seekHead()
        while journal.next() {}
        #expect(journal.takeGaps().map(\.lost) == [1])
    }

    @Test("entries written during the repair of a file arrive once, when they are counted")
    func growing() throws {
        var form = JournalFileForm()
        form.state = .online
        var (bytes, arrays, _) = Self.written(form)
        HostileJournalTests.set(&bytes, arrays[2] + Field.slots + 8 * 5, to: UInt64(3))
        HostileJournalTests.set(&bytes, Header.entryCount, to: 280)
        let file = try MemoryFile(bytes)
        let journal = try MergedJournal(files: [file.path])
        var read: [UInt64] = []
        for count in 280...300 {
            HostileJournalTests.set(&bytes, Header.entryCount, to: count)
            try file.write(bytes)
            journal.files[0].refresh()
            while journal.next() { read.append(journal.entry.sequence) }
            #expect(read.count == count)
        }
        #expect(read == (1...300).map { $0 })
        #expect(journal.files[0].entries.repairs == 1)
        #expect(journal.takeGaps().isEmpty)
    }

    @Test("a file that is damaged repeatedly is still read")
    func damagedAgain() throws {
        var form = JournalFileForm()
        form.state = .online
        var (bytes, _, entries) = Self.written(form)
        HostileJournalTests.set(&bytes, Header.entryCount, to: 3)
        let file = try MemoryFile(bytes)
        let journal = try MergedJournal(files: [file.path])
        var read: [UInt64] = []
        var lost = 0
        for count in stride(from: 5, through: 300, by: 5) {
            HostileJournalTests.set(&bytes, Header.entryCount, to: count)
            for byte in 0..<64 { bytes[entries[count - 3] + byte] = 0 }
            try file.write(bytes)
            journal.files[0].refresh()
            while journal.next() { read.append(journal.entry.sequence) }
            lost += journal.takeGaps().reduce(0) { $0 + ($1.lost ?? 0) }
        }
        #expect(read == (1...300).filter { $0 % 5 != 3 })
        #expect(lost == 60)
    }

    @Test("a header with the largest last number does not end following")
    func largestSequence() throws {
        let folder = try TemporaryFolder()
        var bytes = Self.written().bytes
        HostileJournalTests.set(&bytes, Header.tailSequence, to: UInt64.max)
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("a.journal")))
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        var reading = Reading()
        try reading.take(from: reader) { $0.entries.count == 300 }
        var writer = JournalFileWriter(JournalFileForm())
        writer.append(
            JournalFileEntry(
                sequence: 500,
                realtime: 500,
                monotonic: 500,
                boot: ID128(7, 7),
                fields: [Array("MESSAGE=new".utf8)]
            )
        )
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.path("b.journal")), options: .atomic)
        try reading.take(from: reader) { $0.entries.count == 301 }
        #expect(reading.messages.last == "new")
    }
}
