import Filter
import Foundation
import JournalWriter
import Testing

@testable import JournalBridge

/// A power cut takes the newest entries, which had been read, and journald gives their numbers to entries of the next boot.
@Suite("Reading goes on behind entries that a power cut took")
struct JournalLostTailTests {
    private static let time: UInt64 = 1_700_000_000_000_000

    /// - Parameter time: when the boot began.
    private func entries(_ numbers: ClosedRange<Int>, boot: Int, at time: UInt64) -> [JournalFileEntry] {
        numbers.map { number in
            let id = JournalWriter.ID128(0, UInt64(boot))
            let text = id.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return JournalFileEntry(
                sequence: UInt64(number),
                realtime: time + UInt64(number) * 1000,
                monotonic: UInt64(number - numbers.lowerBound + 1) * 1000,
                boot: id,
                fields: ["MESSAGE=\(boot) \(number)", "PRIORITY=\(number % 2)", "_BOOT_ID=\(text)"].map {
                    Array($0.utf8)
                }
            )
        }
    }

    private func write(_ files: [[JournalFileEntry]], to folder: TemporaryFolder) throws -> JournalSource {
        let files = files.enumerated().map { index, entries in
            var form = JournalFileForm()
            form.fileID = JournalWriter.ID128(9, UInt64(index))
            return GeneratedJournals.File(form: form, entries: entries)
        }
        return .files(try GeneratedJournals(files: files).write(to: folder))
    }

    /// What comes behind the ninth entry of the first boot.
    private func read(_ files: [[JournalFileEntry]], _ expression: String = "true") throws -> Reading {
        let folder = try TemporaryFolder()
        let before = try write([entries(1...9, boot: 1, at: Self.time)], to: folder)
        let cursor = try #require(try Reading.all(before).entries.last?.cursor)
        let source = try write(files, to: folder)
        return try Reading.all(source, from: .cursor(cursor), query: .filter(expression))
    }

    @Test(
        "all of the next boot comes, however many entries it has, and whether its clock is right",
        arguments: [7...8, 7...9, 7...10, 7...30],
        [3_600_000_000, -3_600_000_000]
    )
    func nextBoot(numbers: ClosedRange<Int>, later: Int) throws {
        let old = entries(1...6, boot: 1, at: Self.time)
        let new = entries(numbers, boot: 2, at: UInt64(Int(Self.time) + later))
        for files in [[old + new], [old, new]] {
            let reading = try read(files)
            #expect(reading.messages == numbers.map { "2 \($0)" })
            #expect(reading.gaps == [JournalGap(.forgotten)])
        }
        #expect(try read([old + new], "priority == 1").messages == numbers.filter { $0 % 2 == 1 }.map { "2 \($0)" })
    }

    @Test("the next boot comes where nothing of the one before is left")
    func nothingLeft() throws {
        let (first, last) = (
            entries(1...2, boot: 7, at: Self.time - 10_000_000), entries(3...20, boot: 2, at: Self.time + 60_000_000)
        )
        #expect(try read([first + last]).messages == (3...20).map { "2 \($0)" })
    }

    @Test("what comes after the power cut is read while it comes")
    func following() throws {
        let folder = try TemporaryFolder()
        let whole = try write([entries(1...9, boot: 1, at: Self.time)], to: folder)
        let cursor = try #require(try Reading.all(whole).entries.last?.cursor)
        let old = entries(1...6, boot: 1, at: Self.time)
        var form = JournalFileForm()
        form.state = .online
        var writer = JournalFileWriter(form)
        for entry in old { writer.append(entry) }
        let path = folder.path("growing.journal")
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: path))
        let reader = try JournalReader(.files([path]), from: .cursor(cursor), follow: true)
        var reading = Reading()
        var isIdle = false
        while !isIdle {
            switch try reader.advance() {
            case .gap(let gap): reading.gaps.append(gap)
            case .caughtUp: isIdle = true
            default: break
            }
        }
        #expect(reading.gaps == [JournalGap(.forgotten)])
        for entry in entries(7...8, boot: 2, at: Self.time + 60_000_000) { writer.append(entry) }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data(writer.bytes()))
        try reading.take(from: reader) { $0.entries.count == 2 }
        #expect(reading.messages == ["2 7", "2 8"])
    }

    @Test("an entry that is there, and one that was deleted with older ones, are places as ever")
    func others() throws {
        let all = entries(1...20, boot: 1, at: Self.time)
        for files in [[all], [Array(all[12...])], [Array(all[..<5]), Array(all[12...])]] {
            let reading = try read(files)
            #expect(reading.gaps == [])
            #expect(reading.messages == (files[0].count == 20 ? 10...20 : 13...20).map { "1 \($0)" })
        }
        // Another source's file, which was read up to the same time.
        var form = JournalFileForm()
        form.sequenceID = JournalWriter.ID128(5, 5)
        let folder = try TemporaryFolder()
        let whole = try write([entries(1...9, boot: 1, at: Self.time)], to: folder)
        let cursor = try #require(try Reading.all(whole).entries.last?.cursor)
        let new = entries(7...12, boot: 2, at: Self.time + 60_000_000)
        let other = entries(1...3, boot: 4, at: Self.time)
        let paths = try GeneratedJournals(files: [
            .init(form: JournalFileForm(), entries: entries(1...6, boot: 1, at: Self.time) + new),
            .init(form: form, entries: other),
        ]).write(to: folder)
        let reading = try Reading.all(.files(paths), from: .cursor(cursor))
        #expect(reading.messages == (7...12).map { "2 \($0)" })
    }
}
