import Foundation
import Glibc
import JournalWriter
import TestSupport
import Testing

@testable import JournalBridge

/// Searching the values of a journal finds the same entries as reading all of it.
///
/// The journals are the same in each run. `BUSCTL_RX_SEED` selects another set.
@Suite("Searching a journal's values")
struct JournalSearchTests {
    /// Goes from match to match. It searches values if a number of threads is given.
    private final class Walk {
        /// Whether the last step led to a match.
        private(set) var stands = false
        let journal: MergedJournal
        let query: JournalQuery
        let gatherer: FieldGatherer

        init(_ paths: [String], _ query: JournalQuery, threads: Int? = nil) throws {
            journal = try MergedJournal(files: paths)
            self.query = query
            gatherer = FieldGatherer(query.layout)
            guard let threads else { return }
            // Small enough that every thread has work.
            let search = ValueSearch(
                query,
                threads: WorkerThreads(threads),
                segmentSize: threads == 1 ? 4 << 20 : 8 << 10
            )
            journal.plan(with: AccessPlanner(to: MatchTerms(query.match), searching: search, within: query.window))
        }

        /// The next match's cursor.
        func step(_ direction: Direction) -> String? {
            while direction == .forward ? journal.next() : journal.previous() {
                if query.condition.map({ journal.evaluate($0.holds, gatherer) }) ?? true {
                    stands = true
                    return journal.cursor
                }
            }
            stands = false
            return nil
        }

        /// The cursors of all matches from here on.
        func rest(_ direction: Direction) -> [String] {
            var cursors: [String] = []
            while let cursor = step(direction) { cursors.append(cursor) }
            return cursors
        }
    }

    @Test("finds what reading everything finds, in both directions and from any place")
    func comparison() throws {
        var ways: [String: Int] = [:]
        let count = Stress.rounds(5, stress: 30)
        for seed in Seeds.first(count) {
            var generator = SearchGenerator(seed: seed)
            let journals = generator.journals()
            let folder = try TemporaryFolder()
            let paths = try journals.write(to: folder)
            for _ in 0..<10 {
                let expression = generator.timed(generator.condition())
                let query = try JournalQuery.filter(expression)
                let plain = try Walk(paths, query)
                let searching = try Walk(paths, query, threads: generator.random.number(1..<4))
                for file in searching.journal.files {
                    ways[file.valueScan != nil ? "values" : file.indexScan != nil ? "index" : "all", default: 0] += 1
                    ways["times", default: 0] += file.wanted.count < file.count ? 1 : 0
                }
                func same<Value: Equatable>(_ what: String, _ answer: (Walk) -> Value) {
                    let (one, other) = (answer(plain), answer(searching))
                    if one == other { return }
                    Issue.record("BUSCTL_RX_SEED=\(seed): \(expression), \(what)\n\(one)\nbut\n\(other)\n\(journals)")
                }
                for walk in [plain, searching] { walk.journal.seekHead() }
                same("forwards") { $0.rest(.forward) }
                for walk in [plain, searching] { walk.journal.seekTail() }
                same("backwards") { $0.rest(.backward) }
                // After the last match the two would be at different entries, and without a match nowhere.
                for _ in 0..<4 {
                    let entries = generator.random.pick(journals.files).entries
                    if let entry = entries.randomElement(using: &generator.random) {
                        for walk in [plain, searching] { walk.journal.seek(realtime: entry.realtime) }
                    }
                    for _ in 0..<generator.random.number(1..<6) {
                        let direction = generator.random.chance(50) ? Direction.forward : .backward
                        same("a step") { $0.step(direction) }
                        if plain.stands == false { break }
                    }
                }
            }
        }
        for way in ["values", "index", "all", "times"] where getenv("BUSCTL_RX_SEED") == nil {
            #expect(ways[way, default: 0] > count, "\(way): \(ways)")
        }
    }

    @Test("in damaged files nothing is omitted that reading everything finds")
    func damage() throws {
        var found = 0
        for seed in Seeds.first(Stress.rounds(12, stress: 60)) {
            var generator = SearchGenerator(seed: seed)
            let folder = try TemporaryFolder()
            let path = try generator.damagedFile(seed: seed, in: folder)
            let expressions = [
                "message.contains(\"needle\")", "message.contains(\"7 of beta\")", generator.condition(),
            ]
            for expression in expressions {
                let query = try JournalQuery.filter(expression)
                guard let plain = try? Walk([path], query) else { break }
                let searching = try Walk([path], query, threads: generator.random.number(1..<4))
                let expected = plain.rest(.forward)
                let forward = searching.rest(.forward)
                for walk in [plain, searching] { walk.journal.seekTail() }
                let missingBack = Set(plain.rest(.backward)).subtracting(searching.rest(.backward))
                found += expected.count
                let missing = Set(expected).subtracting(forward)
                if missing.isEmpty, missingBack.isEmpty, Set(forward).count == forward.count { continue }
                Issue.record(
                    """
                    BUSCTL_RX_SEED=\(seed): \(expression)
                    missing forwards \(missing), backwards \(missingBack)
                    """
                )
            }
        }
        #expect(found > 0)
    }

    @Test("a list of entries whose last place is far beyond the file costs neither memory nor time")
    func wildPlace() throws {
        var writer = JournalFileWriter(JournalFileForm())
        for number in 1...300 {
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number),
                    realtime: UInt64(number) * 1000,
                    monotonic: UInt64(number),
                    boot: ID128(1, 1),
                    fields: [Array("MESSAGE=needle \(number)".utf8)]
                )
            )
        }
        var bytes = writer.bytes()
        let last = try #require(writer.places.last { $0.kind == .entry }).offset
        func isLast(_ slot: Int) -> Bool {
            (0..<8).allSatisfy { bytes[slot + $0] == UInt8(truncatingIfNeeded: last >> (8 * $0)) }
        }
        for array in writer.places where array.kind == .entryArray {
            for slot in stride(from: array.offset + 24, to: array.offset + array.size, by: 8) where isLast(slot) {
                bytes[slot + 6] = 4
            }
        }
        let folder = try TemporaryFolder()
        let path = folder.path("wild.journal")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let query = try JournalQuery.filter("message.contains('needle')")
        for threads in [nil, 1, 2] {
            let walk = try Walk([path], query, threads: threads)
            #expect(walk.rest(.forward).count >= 299)
            _ = walk.journal.progress
        }
    }
}
