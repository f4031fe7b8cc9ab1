import Filter
import Foundation
import Glibc
import JournalWriter
import SystemPackage
import TestSupport
import Testing

@testable import JournalBridge

@Suite("Files that ask for more work or memory than their size allows")
struct JournalBoundsTests {
    private typealias Field = JournalObjectField

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func writer(
        _ count: Int,
        _ form: JournalFileForm = JournalFileForm(),
        fields: (Int) -> [String] = { ["SAME=1", "MANY=\($0 % 75)"] }
    ) -> JournalFileWriter {
        var writer = JournalFileWriter(form)
        for number in 1...count {
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number),
                    realtime: UInt64(1_700_000_000_000_000 + number),
                    monotonic: UInt64(number),
                    boot: JournalWriter.ID128(1, 1),
                    fields: fields(number).map { Array($0.utf8) }
                )
            )
        }
        return writer
    }

    private func write(_ bytes: [UInt8]) throws -> String {
        let path = folder.file("a.journal").string
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func open(_ bytes: [UInt8]) throws -> JournalFile {
        try JournalFile(write(bytes), number: 1, memory: FileMemory())
    }

    private func put(_ number: Int, at offset: Int, in bytes: inout [UInt8]) {
        for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    }

    private func number(at offset: Int, in bytes: [UInt8]) -> Int {
        bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    @Test("no tables are made for the holes of a sparse file")
    func sparse() throws {
        let path = try write(writer(300).bytes())
        #expect(truncate(path, 1 << 40) == 0)
        let file = try JournalFile(path, number: 1, memory: FileMemory())
        var columns = ValueColumns(file)
        #expect(columns.columns(of: [Array("MANY".utf8)], in: file) == nil)
    }

    @Test("an array of entries within another one is not read")
    func overlappingArrays() throws {
        var form = JournalFileForm()
        form.arrayCapacity = .fixed(16)
        let writer = writer(40, form) { ["MESSAGE=\($0)"] }
        var bytes = writer.bytes()
        #expect(try open(bytes).entries.isComplete)
        let array = number(at: JournalFileWriter.HeaderField.entryArray, in: bytes)
        let inner = array + Field.slots + 4 * 8
        put(6, at: inner, in: &bytes)
        put(Field.slots + 16 * 8, at: inner + Field.size, in: &bytes)
        put(number(at: array + Field.nextArray, in: bytes), at: inner + Field.nextArray, in: &bytes)
        put(inner, at: array + Field.nextArray, in: &bytes)
        #expect(try !open(bytes).entries.isComplete)
    }

    @Test(
        "a list of a value's entries that goes on at an impossible place is damaged",
        arguments: [Int.max, .max - 7, .min]
    )
    func impossibleArray(place: Int) throws {
        var form = JournalFileForm()
        form.arrayCapacity = .fixed(16)
        let sound = writer(40, form).bytes()
        let same = try #require(try open(sound).values(of: Array("SAME".utf8), limit: 1)?.first)
        let array = number(at: same + Field.entryArray, in: sound)
        for (link, count) in [(same + Field.entryArray, 1), (array + Field.nextArray, 17)] {
            var bytes = sound
            put(place, at: link, in: &bytes)
            put(count, at: same + Field.entryCount, in: &bytes)
            let file = try open(bytes)
            let postings = try #require(Postings(file, data: same))
            #expect(postings.isDamaged && postings.count == count)
        }
    }

    @Test("a field that an entry lists more often than any entry has fields is given once")
    func repeatedItems() throws {
        let count = 400
        let writer = writer(1) { _ in (0..<count).map { "FIELD\($0)=" } }
        var bytes = writer.bytes()
        let entry = try #require(writer.places.first { $0.kind == .entry }).offset
        let first = number(at: entry + Field.items, in: bytes)
        for index in 1..<count where index != 7 { put(first, at: entry + Field.items + 16 * index, in: &bytes) }
        let file = try open(bytes)
        var lines: [String] = []
        let unreadable = file.forEachField(of: try #require(file.entry(at: entry, .spot)), .spot) { line, _ in
            lines.append(String(decoding: line, as: UTF8.self))
            return true
        }
        #expect(lines == ["FIELD0=", "FIELD7="] && unreadable == 0)
    }

    /// A zstd frame of a few thousand bytes that stands for `NAME=` and so many times 128 KiB of one letter.
    private func frame(_ name: String, times count: Int) -> [UInt8] {
        func number(_ number: Int, size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let start = Array("\(name)=".utf8)
        let size = start.count + count << 17
        let blocks = (1...count).flatMap { number(1 << 20 | 1 << 1 | ($0 == count ? 1 : 0), size: 3) + Array("x".utf8) }
        return [0x28, 0xB5, 0x2F, 0xFD, 0xA0] + number(size, size: 4) + number(start.count << 3, size: 3) + start
            + blocks
    }

    @Test("an entry whose values are decompressed to more than any entry has is given in part")
    func bomb() throws {
        let count = 13
        let writer = writer(1) { _ in (0..<count).map { "F\($0)=" + String(repeating: "x", count: 4096) } }
        var bytes = writer.bytes()
        for (index, data) in writer.places.filter({ $0.kind == .data }).enumerated() {
            let frame = frame("F\(index)", times: 512)
            bytes[data.offset + Field.flags] = 4
            put(writer.form.payloadStart + frame.count, at: data.offset + Field.size, in: &bytes)
            let start = data.offset + writer.form.payloadStart
            bytes.replaceSubrange(start..<start + frame.count, with: frame)
        }
        let file = try open(bytes)
        let entry = try #require(writer.places.first { $0.kind == .entry }).offset
        var size = 0
        let unreadable = file.forEachField(of: try #require(file.entry(at: entry, .spot)), .spot) { line, _ in
            size += line.count
            return true
        }
        #expect(size == 12 << 26 + 10 * 3 + 2 * 4 && unreadable == 1)
    }

    @Test("columns of files that are gone make room for others")
    func keptColumns() throws {
        func columns(_ name: String) throws -> (JournalFile, ValueColumns) {
            var form = JournalFileForm()
            form.fileID = name == "a" ? JournalWriter.ID128(1, 1) : JournalWriter.ID128(2, 2)
            let path = folder.file("\(name).journal").string
            try Data(writer(300, form).bytes()).write(to: URL(fileURLWithPath: path))
            let file = try JournalFile(path, number: 1, memory: FileMemory())
            var columns = ValueColumns(file)
            _ = columns.columns(of: [Array("SAME".utf8)], in: file)
            return (file, columns)
        }
        let (one, ofOne) = try columns("a")
        let (other, ofOther) = try columns("b")
        #expect(ofOne.size > 0)
        let kept = KeptColumns(maxSize: ofOne.size + ofOther.size - 1)
        kept.keep(ofOne, of: one)
        kept.keep(ofOther, of: other)
        #expect(kept[one] != nil && kept[other] == nil)
        #expect(unlink(one.path) == 0)
        kept.keep(ofOther, of: other)
        #expect(kept[one] == nil && kept[other] != nil)
    }

    @Test("lists that share an array are not read one by one")
    func sharedLists() throws {
        var bytes = writer(300).bytes()
        let sound = try open(bytes)
        let values = try #require(sound.values(of: Array("MANY".utf8), limit: 100))
        let same = try #require(sound.values(of: Array("SAME".utf8), limit: 100)?.first)
        #expect(values.count == 75)
        #expect(sound.forEachList(of: values) { _ in true })
        for value in values {
            for field in [Field.entryArray, Field.entryCount] {
                put(number(at: same + field, in: bytes), at: value + field, in: &bytes)
            }
        }
        #expect(try !open(bytes).forEachList(of: values) { _ in true })
    }

    @Test("buckets that share a chain of fields are not read one by one")
    func sharedChains() throws {
        var form = JournalFileForm()
        form.fieldBuckets = 2000
        let writer = writer(1, form) { _ in (0..<300).map { "FIELD\($0)=" } }
        var bytes = writer.bytes()
        let fields = writer.places.filter { $0.kind == .field }.map(\.offset)
        for (field, next) in zip(fields, fields.dropFirst()) { put(next, at: field + Field.nextHash, in: &bytes) }
        let table = number(at: JournalFileWriter.HeaderField.fieldTable, in: bytes)
        for bucket in 0..<form.fieldBuckets { put(fields[0], at: table + 16 * bucket, in: &bytes) }
        var gaps: [JournalGap] = []
        let names = try FieldNames.all(in: .files([write(bytes)]), readingEntries: false) { gaps.append($0) }
        #expect(names.count == 300)
        #expect(gaps.map(\.reason) == [.damaged])
    }

    @Test("a pass over values ends where they are in too many entries")
    func pass() throws {
        let count = 400
        let file = try open(writer(count) { _ in (0..<count).map { "V=\($0)" } }.bytes())
        let schema = JournalSchema()
        let query = JournalQuery(try CompiledFilter(#"V =~ "^.""#, schema: schema), schema: schema)
        let search = try #require(ValueSearch(query))
        let end = try #require(file.offset(at: count - 1))
        let testing = ValueTesting(search.tests[0], search.layout)
        let start = Int(file.header.headerSize)
        let pass = ValuePass(file, from: start, to: end, entriesTo: end, testing, search.memories)
        while !pass.isOver { pass.advance() }
        #expect(pass.isDamaged)
        #expect(pass.takeFound().count <= 1 << 17 + count)
    }
}
