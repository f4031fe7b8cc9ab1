import Foundation
import JournalWriter
import SystemPackage
import TestSupport
import Testing

@testable import JournalBridge

@Suite("Lists of a journal's boots, invocations, fields and values")
struct JournalListTests {
    private typealias Boot = JournalWriter.ID128

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private var source: JournalSource { .directory(folder.path.string) }

    private func form(_ source: UInt64) -> JournalFileForm {
        var form = JournalFileForm()
        form.sequenceID = Boot(source, source)
        return form
    }

    private static let unit = "a.service"

    private func id(_ number: Int) -> String { "\(Boot(UInt64(number), UInt64(number)))" }

    /// - Parameters:
    ///   - boot: its number, which is also that of the unit's invocation.
    ///   - time: when the entry was received, in seconds.
    private func entry(_ sequence: Int, boot: Int, time: Int) -> JournalFileEntry {
        let id = id(boot)
        return JournalFileEntry(
            sequence: UInt64(sequence),
            realtime: UInt64(1_700_000_000_000_000 + time * 1_000_000),
            monotonic: UInt64(sequence * 1_000_000),
            boot: Boot(UInt64(boot), UInt64(boot)),
            fields: [
                "_BOOT_ID=\(id)", "_SYSTEMD_UNIT=\(Self.unit)", "_SYSTEMD_INVOCATION_ID=\(id)", "MESSAGE=\(sequence)",
            ].map { Array($0.utf8) }
        )
    }

    private func write(_ writer: JournalFileWriter, _ name: String, damage: (inout [UInt8]) -> Void = { _ in }) throws {
        var bytes = writer.bytes()
        damage(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name).string))
    }

    @Test("the numbers of entries tell the order of boots and invocations, where the clock went back")
    func order() throws {
        // The clock of the second boot is behind, and is set in the middle of it.
        var one = JournalFileWriter(form(1))
        for (number, (boot, time)) in [(1, 100), (1, 200), (2, 10), (2, 300)].enumerated() {
            one.append(entry(number + 1, boot: boot, time: time))
        }
        try write(one, "system@1.journal")
        var two = JournalFileWriter(form(1))
        for (number, (boot, time)) in [(3, 5), (4, 20)].enumerated() {
            two.append(entry(number + 5, boot: boot, time: time))
        }
        try write(two, "system.journal")
        let ids = (1...4).map(id)
        #expect(try JournalBoot.all(in: source).map(\.id) == ids)
        #expect(try UnitInvocation.all(of: .system(Self.unit), in: source).map(\.id) == ids)
        #expect(try PeriodChoice.at(-1).bootID(in: source) == ids[2])
    }

    @Test("the clock tells the order of boots of different sources")
    func sources() throws {
        var one = JournalFileWriter(form(1))
        for (number, (boot, time)) in [(1, 100), (3, 300), (5, 50)].enumerated() {
            one.append(entry(number + 1, boot: boot, time: time))
        }
        try write(one, "one.journal")
        var two = JournalFileWriter(form(2))
        for (number, (boot, time)) in [(2, 200), (3, 310), (4, 320)].enumerated() {
            two.append(entry(number + 100, boot: boot, time: time))
        }
        try write(two, "two.journal")
        let expected = [1, 2, 3, 5, 4].map(id)
        #expect(try JournalBoot.all(in: source).map(\.id) == expected)
    }

    /// Each list, and the reasons of the gaps in it.
    private func lists() throws -> [(list: [String], gaps: [JournalGap])] {
        var gaps: [JournalGap] = []
        var lists: [([String], [JournalGap])] = []
        func add(_ list: [String]) {
            lists.append((list, gaps))
            gaps = []
        }
        add(try JournalBoot.all(in: source) { gaps.append($0) }.map(\.id))
        add(try UnitInvocation.all(of: .system(Self.unit), in: source) { gaps.append($0) }.map(\.id))
        add(try FieldNames.all(in: source, readingEntries: true) { gaps.append($0) }.sorted())
        var values: [String] = []
        try FieldValues.forEach(of: "_SYSTEMD_INVOCATION_ID", in: source, reporting: { gaps.append($0) }) {
            values.append(String(decoding: $0, as: UTF8.self))
        }
        add(values)
        return lists
    }

    @Test("a file that is being written may have entries in its index that it does not count yet")
    func uncounted() throws {
        var writer = JournalFileWriter(form(1))
        for number in 1...3 { writer.append(entry(number, boot: 1, time: number)) }
        try write(writer, "a.journal")
        let path = folder.file("a.journal").string
        let sound = try JournalFile(path, number: 1, memory: FileMemory())
        let boot = try #require(sound.values(of: Array("_BOOT_ID".utf8), limit: 1)?.first)
        try write(writer, "a.journal") { bytes in
            bytes[JournalFileWriter.HeaderField.state] = 1
            bytes[JournalFileWriter.HeaderField.entryCount] = 0
            bytes[boot + JournalObjectField.entryCount] = 2
        }
        let file = try JournalFile(path, number: 1, memory: FileMemory())
        #expect(file.count == 0 && Postings(file, data: boot)?.isDamaged == false)
        #expect(try JournalBoot.all(in: source).map(\.id) == [id(1)])
    }

    @Test("a boot whose only entry is being linked to its values is listed")
    func unlinked() throws {
        var form = form(1)
        form.state = .online
        var writer = JournalFileWriter(form)
        for number in 1...3 { writer.append(entry(number, boot: number < 3 ? 1 : 2, time: number)) }
        try write(writer, "a.journal")
        let path = folder.file("a.journal").string
        let sound = try JournalFile(path, number: 1, memory: FileMemory())
        let boot = try #require(sound.values(of: Array("_BOOT_ID".utf8), limit: 2)?.first)
        try write(writer, "a.journal") { bytes in
            for field in [JournalObjectField.entryOffset, JournalObjectField.entryCount] {
                for index in 0..<8 { bytes[boot + field + index] = 0 }
            }
        }
        #expect(try JournalBoot.all(in: source).map(\.id) == [id(1), id(2)])
    }

    @Test("a period before or behind all others is not found")
    func noPeriod() {
        for offset in [Int.min, .max] {
            for ids in [[], [id(1)]] {
                #expect(throws: EntryChoiceError.self) { try PeriodChoice.at(offset).resolve(among: ids, "boot") }
            }
        }
    }

    @Test("a file that cannot be read is missing in each list, which says so")
    func unreadable() throws {
        var writer = JournalFileWriter(form(1))
        writer.append(entry(1, boot: 1, time: 1))
        try write(writer, "a.journal")
        for list in try lists() { #expect(list.gaps == []) }
        try write(writer, "b.journal") { $0 = Array("no journal".utf8) }
        for list in try lists() {
            #expect(!list.list.isEmpty)
            #expect(list.gaps.map(\.reason) == [.unreadable])
            #expect(list.gaps.first?.path?.hasSuffix("/b.journal") == true)
        }
    }

    @Test("entries of a damaged file are missing in each list, which says how many")
    func damaged() throws {
        var writer = JournalFileWriter(form(1))
        for number in 1...6 { writer.append(entry(number, boot: number, time: number)) }
        let lost = writer.places.filter { $0.kind == .entry }[3]
        let array = try #require(writer.places.first { $0.kind == .entryArray })
        try write(writer, "a.journal") { bytes in
            // Neither the list of entries nor the index leads anywhere.
            bytes[array.offset] = 0
            bytes[JournalFileWriter.HeaderField.dataTable] = 0
            bytes[JournalFileWriter.HeaderField.fieldTable] = 0
            for index in lost.offset..<lost.offset + lost.size { bytes[index] = 0 }
        }
        let ids = [1, 2, 3, 5, 6].map(id)
        let lists = try lists()
        for list in lists { #expect(list.gaps.map(\.lost) == [1]) }
        for index in [0, 1, 3] { #expect(lists[index].list == ids) }
        #expect(lists[2].list == ["MESSAGE", "_BOOT_ID", "_SYSTEMD_INVOCATION_ID", "_SYSTEMD_UNIT"])
    }

    @Test(arguments: [40, 48]) func `an entry of which the head alone was written makes no boot`(_ written: Int) throws
    {
        var writer = JournalFileWriter(form(1))
        for number in 1...6 { writer.append(entry(number, boot: number, time: number)) }
        let torn = writer.places.filter { $0.kind == .entry }[5]
        try write(writer, "a.journal") { bytes in
            bytes[JournalFileWriter.HeaderField.dataTable] = 0
            for index in torn.offset + written..<torn.offset + torn.size { bytes[index] = 0 }
        }
        var gaps: [JournalGap] = []
        #expect(try JournalBoot.all(in: source) { gaps.append($0) }.map(\.id) == (1...5).map(id))
        #expect(!gaps.isEmpty)
    }
}
