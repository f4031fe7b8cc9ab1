import Filter
import Foundation
import JournalWriter
import SystemPackage
import TestSupport
import Testing

@testable import JournalBridge

/// A slot of a file's list that leads elsewhere must not mislead a search among its entries.
@Suite("A file's list of entries with a wrong place")
struct EntryListTests {
    private typealias Field = JournalObjectField

    private static let count = 600

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func write(_ bytes: [UInt8]) throws -> String {
        let path = folder.file("a.journal").string
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// A file, and where its list of entries has its slots.
    private struct Listed {
        let bytes: [UInt8]
        let entries: [Int]
        private let slots: [Int]
        private let slotSize: Int

        init(isCompact: Bool) {
            var form = JournalFileForm()
            form.isCompact = isCompact
            var writer = JournalFileWriter(form)
            for number in 1...UInt64(count) {
                writer.append(
                    JournalFileEntry(
                        sequence: number,
                        realtime: 1_700_000_000_000_000 + number * 1_000_000,
                        monotonic: number * 1_000_000,
                        boot: JournalWriter.ID128(1, 1),
                        fields: ["MESSAGE=\(number)", "THIRD=\(number % 3)"].map { Array($0.utf8) }
                    )
                )
            }
            bytes = writer.bytes()
            entries = writer.places.filter { $0.kind == .entry }.map(\.offset)
            slotSize = form.slotSize
            var slots: [Int] = []
            var array = Self.number(bytes, JournalFileWriter.HeaderField.entryArray)
            while array != 0 {
                let end = array + Self.number(bytes, array + Field.size)
                slots += stride(from: array + Field.slots, to: end, by: slotSize)
                array = Self.number(bytes, array + Field.nextArray)
            }
            self.slots = slots
        }

        private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        /// The file with another place at each of some positions, in each of many ways.
        var damaged: [(told: String, bytes: [UInt8])] {
            let last = entries.count - 1
            return [0, 1, 47, 48, 49, 50, 52, 56, 150, 300, 301, 346, 349, 350, last - 1, last].flatMap { position in
                let places = [
                    Int(UInt32.max) & ~7, bytes.count, 216, entries[0], entries[last], entries[max(position - 1, 0)],
                    entries[min(position + 1, last)], entries[max(position - 100, 0)],
                    entries[min(position + 200, last)],
                    entries[position] + 8,
                ]
                return Set(places).subtracting([entries[position]]).map { place in
                    var bytes = bytes
                    for index in 0..<slotSize {
                        bytes[slots[position] + index] = UInt8(truncatingIfNeeded: place >> (8 * index))
                    }
                    return ("position \(position): \(place)", bytes)
                }
            }
        }
    }

    @Test("is not searched past a wrong place", arguments: [false, true])
    func index(isCompact: Bool) throws {
        let list = Listed(isCompact: isCompact)
        for (told, bytes) in list.damaged {
            let file = try JournalFile(write(bytes), number: 1, memory: FileMemory())
            for (index, place) in list.entries.enumerated() where index % 5 == 0 || index > Self.count - 3 {
                let found = file.entries.index(from: place, file)
                #expect(found == nil || found == index, "\(told), \(index)")
            }
            for index in [0, 300, Self.count - 1] {
                #expect(file.index(from: list.entries[index]) == index, "\(told), \(index)")
            }
        }
    }

    private enum Way: CaseIterable {
        case all, index, values, times, indexWithinTimes
    }

    @Test("hides no entry", arguments: [Direction.forward, .backward])
    func reading(direction: Direction) throws {
        let schema = JournalSchema()
        let query = JournalQuery(try CompiledFilter(#"MESSAGE =~ ".""#, schema: schema), schema: schema)
        let search = try #require(ValueSearch(query))
        var window = TimeWindow()
        (window.first, window.last) = (1_700_000_050_000_000, 1_700_000_350_000_000)
        for (told, bytes) in Listed(isCompact: true).damaged {
            let path = try write(bytes)
            for way in Way.allCases {
                let journal = try MergedJournal(files: [path])
                var isWanted: (UInt64) -> Bool = { _ in true }
                switch way {
                case .all: break
                case .index:
                    journal.narrow(to: .term(field: "THIRD", value: Array("1".utf8)))
                    isWanted = { $0 % 3 == 1 }
                // So many have the value that the search is given up.
                case .values: journal.plan(with: AccessPlanner(searching: search))
                case .times:
                    journal.plan(with: AccessPlanner(within: window))
                    isWanted = { (50...350).contains($0) }
                case .indexWithinTimes:
                    let terms = MatchTerms(.term(field: "THIRD", value: Array("1".utf8)))
                    journal.plan(with: AccessPlanner(to: terms, within: window, always: true))
                    isWanted = { (50...350).contains($0) && $0 % 3 == 1 }
                }
                if direction == .backward { journal.seekTail() }
                var found: [UInt64] = []
                while direction == .forward ? journal.next() : journal.previous() {
                    if isWanted(journal.entry.sequence) { found.append(journal.entry.sequence) }
                }
                let expected = (1...UInt64(Self.count)).filter(isWanted)
                #expect(found == (direction == .forward ? expected : expected.reversed()), "\(told), \(way)")
            }
        }
    }

    @Test("does not change which entries are the last ones")
    func tail() throws {
        let schema = JournalSchema()
        let query = JournalQuery(try CompiledFilter("THIRD == '1'", schema: schema), schema: schema)
        for (told, bytes) in Listed(isCompact: false).damaged {
            let reader = try JournalReader(.files([write(bytes)]), from: .tail(2), follow: false, query: query)
            var found: [String?] = []
            var step = try reader.advance()
            while step != .end {
                if step == .entry { found.append(reader.entry()?["MESSAGE"]) }
                step = try reader.advance()
            }
            #expect(found == ["595", "598"], "\(told)")
        }
    }
}
