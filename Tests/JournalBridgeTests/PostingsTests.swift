import Bus
import BusTesting
import Filter
import Foundation
import JournalWriter
import Records
import SystemPackage
import TestSupport
import Testing

@_spi(Forced) @testable import JournalBridge

/// What is found by a value's list of entries is compared with the entries themselves, which are all read.
@Suite("A value's list of entries with a wrong place")
struct PostingsTests {
    private typealias Field = JournalObjectField

    private static let count = 300
    private static let rare = "RARE=1"

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private static func writer(isCompact: Bool = false) -> JournalFileWriter {
        var form = JournalFileForm()
        form.isCompact = isCompact
        var writer = JournalFileWriter(form)
        for number in 1...UInt64(count) {
            var fields = ["MESSAGE=\(number)", "TENTH=\(number % 10)", "MANY=\(number % 75)", "SAME=1"]
            if number % 7 == 3 { fields.append(rare) }
            writer.append(
                JournalFileEntry(
                    sequence: number,
                    realtime: 1_700_000_000_000_000 + number * 1_000_000,
                    monotonic: number * 1_000_000,
                    boot: JournalWriter.ID128(1, 1),
                    fields: fields.map { Array($0.utf8) }
                )
            )
        }
        return writer
    }

    /// A file, and where the list of one of its values has its slots.
    private struct Listed {
        private let file: [UInt8]
        private let slotSize: Int
        private(set) var slots: [Int] = []
        private(set) var entries: [Int] = []
        let data: Int
        let size: Int

        init(_ value: String, in writer: JournalFileWriter) throws {
            file = writer.bytes()
            size = file.count
            slotSize = writer.form.slotSize
            let start = writer.form.payloadStart
            let place = writer.places.first { [file] place in
                let payload = file[min(place.offset + start, place.offset + place.size)..<place.offset + place.size]
                return place.kind == .data && payload.elementsEqual(value.utf8)
            }
            data = try #require(place).offset
            entries = writer.places.filter { $0.kind == .entry }.map(\.offset)
            slots = [data + Field.entryOffset]
            let count = Self.number(file, data + Field.entryCount, 8)
            var array = Self.number(file, data + Field.entryArray, 8)
            while slots.count < count {
                let end = array + Self.number(file, array + Field.size, 8)
                slots += stride(from: array + Field.slots, to: end, by: slotSize).prefix(count - slots.count)
                array = Self.number(file, array + Field.nextArray, 8)
            }
        }

        private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
            bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        private func size(at position: Int) -> Int { position == 0 ? 8 : slotSize }

        /// The place at a position of the list.
        subscript(position: Int) -> Int { Self.number(file, slots[position], size(at: position)) }

        /// The file with other places.
        func placing(_ places: [Int: Int]) -> [UInt8] {
            var bytes = file
            for (position, place) in places {
                for index in 0..<size(at: position) {
                    bytes[slots[position] + index] = UInt8(truncatingIfNeeded: place >> (8 * index))
                }
            }
            return bytes
        }

        func counting(_ count: Int) -> [UInt8] {
            var bytes = file
            for index in 0..<8 {
                bytes[data + Field.entryCount + index] = UInt8(truncatingIfNeeded: count >> (8 * index))
            }
            return bytes
        }

        /// The file, damaged in each of many ways.
        func damaged(at position: Int) -> [(told: String, bytes: [UInt8])] {
            let place = self[position]
            let index = entries.firstIndex(of: place) ?? 0
            var damages = [
                ("beyond the file", placing([position: (size + 4096) & ~7])),
                ("far beyond the file", placing([position: Int(UInt32.max) & ~7])),
                ("the last entry", placing([position: entries[entries.count - 1]])),
                ("the first entry", placing([position: entries[0]])),
                ("nothing", placing([position: 0])),
                ("within an entry", placing([position: place + 8])),
                ("no place of an object", placing([position: place + 3])),
            ]
            if index > 0 { damages.append(("the entry before", placing([position: entries[index - 1]]))) }
            if index + 1 < entries.count {
                damages.append(("the entry behind", placing([position: entries[index + 1]])))
            }
            if position + 1 < slots.count {
                damages.append(("twice", placing([position: self[position + 1]])))
                damages.append(("swapped", placing([position: self[position + 1], position + 1: place])))
            }
            if position > 0 {
                damages.append(("twice", placing([position: self[position - 1]])))
                damages.append(("counts fewer", counting(position)))
            }
            return damages.map { ("position \(position): \($0.0)", $0.1) }
        }
    }

    private func write(_ bytes: [UInt8], _ name: String = "a.journal") throws -> String {
        let path = folder.file(name).string
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    // MARK: Parts of a list

    /// Looks up one part after the other until a list says that it is damaged, or leads to an entry without the value.
    private func found(
        _ postings: Postings,
        in file: JournalFile,
        from start: Int,
        width: Int,
        _ direction: Direction
    ) -> (places: [Int], isWhole: Bool) {
        var found: [Int] = []
        var next = start
        while direction == .forward ? next < file.size : next > 0 {
            let part =
                direction == .forward
                ? next..<min(next + width, file.size) : max(next - width, 0)..<next
            guard let places = postings.places(in: part, direction) else { return (found, false) }
            for place in direction == .forward ? places : places.reversed() {
                let isRight = file.withItems(ofEntryAt: place, .spot) { $0.contains(UInt64(postings.data)) }
                guard isRight == true else { return (found, false) }
                found.append(place)
            }
            next = direction == .forward ? part.upperBound : part.lowerBound
        }
        return (found, true)
    }

    @Test("hides no other place without being noticed, in parts of any size", arguments: [false, true])
    func parts(isCompact: Bool) throws {
        let list = try Listed(Self.rare, in: Self.writer(isCompact: isCompact))
        let sound = list.slots.indices.map { list[$0] }
        #expect(sound.count == 43)
        let ends = [sound[5] + 8, sound[20], sound[sound.count - 2] - 8]
        for position in list.slots.indices where position % 3 == 0 || position > sound.count - 3 {
            for (told, bytes) in list.damaged(at: position) + [("sound", list.placing([:]))] {
                let file = try JournalFile(write(bytes), number: 1, memory: FileMemory())
                for (width, start) in [200, 3000, 1 << 20].flatMap({ width in ([0] + ends).map { (width, $0) } }) {
                    for direction in [Direction.forward, .backward] {
                        let start = start == 0 && direction == .backward ? file.size : start
                        let postings = Postings(file, data: list.data)
                        guard let postings, !postings.isDamaged else {
                            #expect(told != "sound")
                            continue
                        }
                        let expected =
                            direction == .forward
                            ? sound.filter { $0 >= start } : sound.reversed().filter { $0 < start }
                        let (places, isWhole) = found(postings, in: file, from: start, width: width, direction)
                        let comment = "\(told), in parts of \(width) from \(start) \(direction)"
                        #expect(expected.starts(with: places), "\(comment)")
                        #expect(!isWhole || places == expected, "\(comment)")
                        #expect(told != "sound" || isWhole, "\(comment)")
                    }
                }
            }
        }
    }

    // MARK: Reading

    /// The numbers of the entries that have the values, in the order in which they are read.
    private func sequences(
        _ journal: MergedJournal,
        _ direction: Direction = .forward,
        where isWanted: ([String]) -> Bool
    ) -> [UInt64] {
        var found: [UInt64] = []
        while direction == .forward ? journal.next() : journal.previous() {
            var lines: [String] = []
            journal.forEachField { line in
                lines.append(String(decoding: line, as: UTF8.self))
                return true
            }
            if isWanted(lines) { found.append(journal.entry.sequence) }
        }
        return found
    }

    private func query(_ expression: String) throws -> JournalQuery {
        let schema = JournalSchema()
        return JournalQuery(try CompiledFilter(expression, schema: schema), schema: schema)
    }

    private func term(_ line: String) -> Match {
        let parts = line.split(separator: "=")
        return .term(field: String(parts[0]), value: Array(parts[1].utf8))
    }

    @Test("leaves out no entry", arguments: [[rare], [rare, "SAME=1"], [rare, "TENTH=0"], ["TENTH=3", rare]])
    func reading(values: [String]) throws {
        let match = Match.all(values.map(term))
        func read(_ journal: MergedJournal, from time: UInt64?, _ direction: Direction) -> [UInt64] {
            if direction == .backward { journal.seekTail() } else { journal.seekHead() }
            if let time { journal.seek(realtime: time) }
            return sequences(journal, direction) { values.allSatisfy($0.contains) }
        }
        let whole = try MergedJournal(files: [write(Self.writer().bytes(), "whole.journal")])
        for (time, direction) in [nil, 100, 297].flatMap({ [($0, Direction.forward), ($0, .backward)] }) {
            let time = time.map { UInt64(1_700_000_000_000_000 + $0 * 1_000_000) }
            let expected = read(whole, from: time, direction)
            for value in values {
                let list = try Listed(value, in: Self.writer())
                let (count, distance) = (list.slots.count, list.slots.count / 4)
                for position in list.slots.indices where position % distance < 2 || position > count - 3 {
                    for (told, bytes) in list.damaged(at: position) {
                        let journal = try MergedJournal(files: [write(bytes)])
                        journal.narrow(to: match)
                        let found = read(journal, from: time, direction)
                        #expect(found == expected, "\(value), \(told), from \(time ?? 0) \(direction)")
                    }
                }
            }
        }
    }

    @Test("leaves out no entry of a span of time", arguments: [(50, 250), (120, 121), (280, 400)])
    func window(first: UInt64, last: UInt64) throws {
        var window = TimeWindow()
        window.first = 1_700_000_000_000_000 + first * 1_000_000
        window.last = 1_700_000_000_000_000 + last * 1_000_000
        let list = try Listed(Self.rare, in: Self.writer())
        let expected = (first...min(last, UInt64(Self.count))).filter { $0 % 7 == 3 }
        for position in list.slots.indices where position % 5 < 2 {
            for (told, bytes) in list.damaged(at: position) {
                let path = try write(bytes)
                for direction in [Direction.forward, .backward] {
                    let journal = try MergedJournal(files: [path])
                    journal.plan(with: AccessPlanner(to: MatchTerms(term(Self.rare)), within: window, always: true))
                    if direction == .backward { journal.seekTail() }
                    let found = sequences(journal, direction) { $0.contains(Self.rare) }
                    let wanted = found.filter { (first...last).contains($0) }
                    #expect(wanted == (direction == .forward ? expected : expected.reversed()), "\(told), \(direction)")
                }
            }
        }
    }

    @Test("leaves out no entry that is found by going through the values")
    func values() throws {
        let query = try self.query(#"MANY =~ "4$""#)
        let search = try #require(ValueSearch(query))
        for value in ["MANY=14", "MANY=64"] {
            let list = try Listed(value, in: Self.writer())
            for position in list.slots.indices {
                for (told, bytes) in list.damaged(at: position) {
                    let path = try write(bytes)
                    let found = try [false, true].map { isSearched in
                        let journal = try MergedJournal(files: [path])
                        if isSearched {
                            journal.plan(with: AccessPlanner(searching: search))
                            #expect(journal.files[0].valueScan != nil)
                        }
                        return sequences(journal) { $0.contains { $0.hasPrefix("MANY=") && $0.hasSuffix("4") } }
                    }
                    #expect(found[0] == found[1], "\(value), \(told)")
                }
            }
        }
    }

    // MARK: Counting

    private func counted(_ path: String, _ query: JournalQuery, _ strategy: CountingStrategy) async throws
        -> [[String?]: Int]
    {
        let grouping = try RecordGrouping(fields: [FieldPath("TENTH"), FieldPath("RARE")])
        let signal = Signals.journalCounts(.files([path]), query: query, by: [grouping], strategy: strategy)
        let recorder = Recorder(signal)
        await offThePool { recorder.waitForEnd() }
        guard case .counts(let counts)? = recorder.values.last else { return [:] }
        return Dictionary(uniqueKeysWithValues: counts.groups[0].counts.map { ($0.key.values, $0.value) })
    }

    @Test("changes no counts")
    func counting() async throws {
        let whole = try write(Self.writer().bytes(), "whole.journal")
        let expected = try await counted(whole, .everything, .entries)
        #expect(expected.count == 20)
        for value in ["TENTH=4", Self.rare] {
            let list = try Listed(value, in: Self.writer())
            for position in list.slots.indices where position % 14 < 2 {
                for (told, bytes) in list.damaged(at: position) {
                    let found = try await counted(write(bytes), .everything, .values)
                    #expect(found == expected, "\(value), \(told)")
                }
            }
        }
    }

    @Test("a clock that was set back within a file leaves counts of a span of time right")
    func clock() async throws {
        var writer = JournalFileWriter(JournalFileForm())
        for number in 1...UInt64(Self.count) {
            let hour: UInt64 = (100..<200).contains(number) ? 0 : 5
            writer.append(
                JournalFileEntry(
                    sequence: number,
                    realtime: 1_700_000_000_000_000 + hour * 3_600_000_000 + number,
                    monotonic: number,
                    boot: JournalWriter.ID128(1, 1),
                    fields: [Array("TENTH=\(number % 10)".utf8)]
                )
            )
        }
        let path = try write(writer.bytes())
        let query = try self.query("__REALTIME_TIMESTAMP >= 1700010000000000")
        let expected = try await counted(path, query, .entries)
        #expect(expected.count == 10 && expected.values.allSatisfy { $0 == 20 })
        #expect(try await counted(path, query, .values) == expected)
    }
}
