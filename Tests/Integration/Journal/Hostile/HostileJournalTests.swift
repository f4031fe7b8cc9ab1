import Filter
import JournalWriter
import TestSupport
import Testing

@testable import JournalBridge

/// Malicious files. Each is small compared with the work that it asks for.
@Suite("Hostile journals cost no more than their size allows")
struct HostileJournalTests {
    private typealias Header = JournalFileWriter.HeaderField
    private typealias Field = JournalObjectField

    /// This many entries. Each has its own message and one field that all share.
    static func writer(_ count: Int, _ form: JournalFileForm = JournalFileForm()) -> JournalFileWriter {
        var writer = JournalFileWriter(form)
        for number in 1...UInt64(count) {
            let fields = ["SAME=1", "MESSAGE=\(number)"].map { Array($0.utf8) }
            writer.append(
                JournalFileEntry(
                    sequence: number,
                    realtime: number,
                    monotonic: number,
                    boot: ID128(7, 7),
                    fields: fields
                )
            )
        }
        return writer
    }

    private static let all = Match.term(field: "SAME", value: Array("1".utf8))

    /// Reads the file and expects this to be cheap.
    private func read(_ bytes: [UInt8], match: Match? = nil) throws -> HostileRead {
        let file = try MemoryFile(bytes)
        var result: HostileRead?
        let seconds = try Expense.seconds { result = try HostileRead(file.path, match: match) }
        #expect(seconds < Expense.maxSeconds)
        return try #require(result)
    }

    @Test("entries that overlap end where the next one begins")
    func overlappingEntries() throws {
        var journal = RawJournal()
        let data = journal.data("MESSAGE=1")
        let count = 60_000
        let slots = (0..<count).map { _ in journal.entry([data], size: UInt64(64 + 16 * 4096)) }
        // Room for the last entry.
        _ = journal.data([UInt8](repeating: 65, count: 70_000))
        let read = try read(journal.finish(slots))
        #expect(read.sequences == (1...UInt64(count)).map { $0 })
        #expect(read.fields >= count)
    }

    @Test("an entry with more fields than possible is read up to the limit, and the rest is reported")
    func manyItems() throws {
        var journal = RawJournal()
        let data = (0..<10_000).map { journal.data("N=\($0)") }
        let slots = [4095, 4096, 4097, 10_000, 1].map { journal.entry(Array(data[..<$0])) }
        let read = try read(journal.finish(slots))
        #expect(read.sequences == [1, 2, 3, 4, 5])
        #expect(read.fields == 4095 + 3 * 4096 + 1)
        #expect(read.gaps.map(\.reason) == [.fields])
        #expect(read.gapPlaces == [3])
    }

    @Test("slots that all lead to one entry yield it once")
    func sameSlots() throws {
        var journal = RawJournal()
        let data = journal.data("MESSAGE=1")
        let entry = journal.entry([data])
        let read = try read(journal.finish([Int](repeating: entry, count: 100_000)))
        #expect(read.sequences == [1])
        #expect(read.lost == 99_999)
    }

    @Test("arrays of one slot each are found as fast as large ones", arguments: [false, true])
    func shortArrays(isCompact: Bool) throws {
        var form = JournalFileForm()
        (form.arrayCapacity, form.isCompact) = (.fixed(1), isCompact)
        let count = Stress.rounds(8_000, stress: 60_000)
        let bytes = Self.writer(count, form).bytes()
        #expect(try read(bytes).sequences.count == count)
        let narrowed = try read(bytes, match: Self.all)
        #expect(narrowed.sequences.count == count)
        #expect(narrowed.gaps.isEmpty)
    }

    @Test("a loss at every other entry is reported at its place, and takes no longer than the entries")
    func manyLosses() throws {
        var journal = RawJournal()
        let data = journal.data("MESSAGE=1")
        let slots = (0..<100_000).map { $0 % 2 == 0 ? journal.entry([data]) : data }
        let read = try read(journal.finish(slots))
        #expect(read.sequences.count == 50_000)
        #expect(read.lost == 50_000)
        #expect(read.gapPlaces.prefix(3) == [1, 2, 3])
    }

    @Test("values with the same hash are not all decompressed to find one of them")
    func sameHashes() throws {
        let wanted = Array("MESSAGE=1".utf8)
        var journal = RawJournal(flags: 8)
        let hash = PayloadHash.lookup3(wanted)
        let bomb = try #require(PayloadCompression.zstd.compressed([UInt8](repeating: 65, count: 16 << 20)))
        let first = journal.data(wanted, hash: hash)
        let other = PayloadHash.lookup3(Array("A=1".utf8))
        let objects = (0..<8000).map { _ in journal.data(bomb, flags: 4, hash: other) }
        for (object, next) in zip(objects, objects.dropFirst()) { journal.set(object + Field.nextHash, to: next) }
        let entry = journal.entry([first])
        // One bucket for each of the two hashes.
        let buckets = try #require((UInt64(2)...64).first { hash % $0 != other % $0 })
        let table = journal.add(4, [UInt64](repeating: 0, count: Int(buckets) * 2))
        journal.set(table + 16 + 16 * Int(hash % buckets), to: first)
        journal.set(table + 16 + 16 * Int(other % buckets), to: objects[0])
        journal.set(Header.dataTable, to: table + 16)
        journal.set(Header.dataTable + 8, to: UInt64(16 * buckets))
        let read = try read(journal.finish([entry]), match: .term(field: "A", value: Array("1".utf8)))
        #expect(read.sequences.count <= 1)
    }

    @Test("postings that go backwards yield no entry twice")
    func postingsGoingBack() throws {
        var form = JournalFileForm()
        form.arrayCapacity = .fixed(50)
        let writer = Self.writer(200, form)
        var bytes = writer.bytes()
        let same = try #require(writer.places.first { $0.kind == .data })
        let array = Self.number(bytes, same.offset + Field.entryArray)
        let slots = (0..<50).map { Self.number(bytes, array + Field.slots + 8 * $0) }
        for (index, slot) in slots.reversed().enumerated() {
            Self.set(&bytes, array + Field.slots + 8 * index, to: slot)
        }
        let read = try read(bytes, match: Self.all)
        #expect(Set(read.sequences).count == read.sequences.count)
    }

    @Test(
        "fields with impossible sizes are reported once",
        arguments: [0, 1, 63, 64, 1 << 32, 1 << 63, .max - 7, .max]
    )
    func wildDataSizes(size: UInt64) throws {
        var journal = RawJournal()
        let bad = journal.data(Array("BAD=1".utf8), size: size)
        let good = journal.data("MESSAGE=1")
        let slots = (0..<100).map { _ in journal.entry([bad, good]) }
        let read = try read(journal.finish(slots))
        #expect(read.sequences.count == 100)
        #expect(read.fields == 100)
        #expect(read.gaps.map(\.reason) == [.fields])
    }

    @Test("a large value that all entries share is decompressed once", arguments: [PayloadCompression.zstd, .xz, .lz4])
    func sharedBomb(_ compression: PayloadCompression) throws {
        let flags: (file: UInt8, object: UInt8) =
            switch compression {
            case .xz: (1, 1)
            case .lz4: (2, 2)
            default: (8, 4)
            }
        let plain = Array("MESSAGE=".utf8) + [UInt8](repeating: 65, count: 64 << 20)
        let packed = try #require(compression.compressed(plain))
        for isCut in [false, true] {
            var journal = RawJournal(flags: flags.file)
            let data = journal.data(
                isCut ? packed.dropLast(100) + [UInt8](repeating: 0xAA, count: 100) : packed,
                flags: flags.object
            )
            _ = journal.data([UInt8](repeating: 65, count: 20_000))
            let slots = (0..<3000).map { _ in journal.entry([data]) }
            let read = try read(journal.finish(slots))
            #expect(read.sequences.count == 3000)
            #expect(read.fields == (isCut ? 0 : 3000))
        }
    }

    @Test("data that looks like an object at every offset is scanned once", arguments: [16, 24, 1 << 20, 6 << 20])
    func pseudoObjects(size: Int) throws {
        var bytes = [UInt8](repeating: 0, count: 8 << 20)
        var journal = RawJournal()
        journal.set(Header.entryCount, to: 1 << 40)
        bytes.replaceSubrange(0..<264, with: journal.bytes)
        for offset in stride(from: 272, to: bytes.count - 16, by: 16) {
            bytes[offset] = UInt8(1 + offset / 16 % 7)
            Self.set(&bytes, offset + 8, to: size)
        }
        let read = try read(bytes)
        #expect(read.sequences.isEmpty)
        #expect(read.gaps.map(\.lost) == [nil])
    }

    @Test(
        "a file as large as a disk but nearly all holes is read like a small one",
        arguments: [true, false]
    )
    func sparseFile(hasArray: Bool) throws {
        var journal = RawJournal()
        let data = journal.data("MESSAGE=1")
        let slots = (0..<3).map { _ in journal.entry([data]) }
        let array = journal.array(slots)
        journal.set(Header.entryArray, to: hasArray ? array : 0)
        journal.set(Header.entryCount, to: 1 << 36)
        let size = 1 << 40
        journal.set(array + Field.size, to: size - array)
        let file = try MemoryFile(journal.bytes)
        try file.resize(to: size)
        var read: HostileRead?
        let seconds = try Expense.seconds { read = try HostileRead(file.path) }
        #expect(seconds < Expense.maxSeconds)
        #expect(read?.sequences == [1, 2, 3])
        #expect(read?.lost == 1 << 36 - 3)
    }

    @Test("a header with one wrong number hides no entries")
    func wildHeader() throws {
        let bytes = Self.writer(100).bytes()
        for offset in stride(from: 88, to: 264, by: 8) where offset != Header.entryCount {
            for number in [0, 1, 1 << 60, 1 << 63, UInt64.max - 7, .max] as [UInt64] {
                var damaged = bytes
                Self.set(&damaged, offset, to: number)
                for match in [nil, Self.all] {
                    let read = try read(damaged, match: match)
                    #expect(read.sequences == (1...100).map { $0 }, "\(number) at \(offset)")
                    #expect(read.gaps.isEmpty)
                }
            }
        }
        for number in [1 << 60, 1 << 63, UInt64.max] {
            var damaged = bytes
            Self.set(&damaged, Header.entryCount, to: number)
            let read = try read(damaged)
            #expect(read.sequences.count == 100)
            // Their number is unknown.
            #expect(read.gaps.map(\.lost) == [nil])
        }
    }

    @Test("an entry whose fields come after it in the file is read")
    func fieldsBehind() throws {
        var journal = RawJournal()
        let entry = journal.entry([0])
        let data = journal.data("MESSAGE=1")
        journal.set(entry + Field.items, to: data)
        let read = try read(journal.finish([entry]))
        #expect(read.sequences == [1])
        #expect(read.fields == 1)
    }

    @Test("a field beyond its file's end is not taken from another file")
    func otherFile() throws {
        // The value is cached, because it does not lie right before its entry.
        func journal(_ item: Int?, _ time: UInt64) throws -> MemoryFile {
            var journal = RawJournal()
            let data = journal.data("MESSAGE=secret")
            _ = journal.data([UInt8](repeating: 65, count: 20_000))
            let entry = journal.entry([item ?? data])
            journal.set(entry + Field.realtime, to: time)
            journal.set(entry + Field.monotonic, to: time)
            return try MemoryFile(journal.finish([entry]))
        }
        let files = [try journal(2 << 44 | 264, 3), try journal(nil, 2), try journal(nil, 1)]
        let journals = try MergedJournal(files: files.map(\.path))
        var read: [Int] = []
        while journals.next() {
            var count = 0
            journals.forEachField { _ in
                count += 1
                return true
            }
            read.append(count)
        }
        #expect(read.last == 0)
    }

    @Test("a journal can be followed for years")
    func keys() {
        let memory = FileMemory()
        var last: UInt64 = 0
        for _ in 0..<1 << 25 { last = memory.makeKey() }
        #expect(last > 0)
    }

    static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        (0..<8).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    static func set(_ bytes: inout [UInt8], _ offset: Int, to number: UInt64) {
        for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
    }

    static func set(_ bytes: inout [UInt8], _ offset: Int, to number: Int) { set(&bytes, offset, to: UInt64(number)) }
}
