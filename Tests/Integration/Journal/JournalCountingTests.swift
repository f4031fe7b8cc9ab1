import Bus
import BusTesting
import Foundation
import JournalWriter
import Records
import TestSupport
import Testing

@_spi(Forced) @testable import JournalBridge

/// Counting a journal's entries finds as many as making them into records and counting these.
///
/// The journals are the same in each run. `BUSCTL_RX_SEED` selects another set.
@Suite("Counting a journal's entries")
struct JournalCountingTests {
    private static let paths = [
        "unit", "identifier", "priority", "severity", "message", "speaker", "source", "late", "_PID", "pid", "TEXT",
        "UNIT",
        "_BOOT_ID", "a.b", "none", "message.part", "SYSLOG_IDENTIFIER", "time", "sequence",
        "_SOURCE_REALTIME_TIMESTAMP",
    ]

    private func grouping(_ random: inout SeededGenerator) throws -> RecordGrouping {
        let paths = try (0..<random.number(0..<5)).map { _ in try FieldPath(random.pick(Self.paths)) }
        return RecordGrouping(
            fields: paths,
            every: random.pick([nil, .microseconds(7), .seconds(1), .seconds(3600)])
        )
    }

    /// `nil` where the journal cannot be read.
    private func values<Value>(of signal: some Signal<Value, JournalError>) async -> [Value]? {
        let recorder = Recorder(signal)
        await offThePool { recorder.waitForEnd() }
        guard case .completed? = recorder.events.last else { return nil }
        return recorder.values
    }

    private func plain(
        _ paths: [String],
        _ start: JournalStart,
        _ query: JournalQuery,
        _ groupings: [RecordGrouping]
    ) async -> [RecordCounts]? {
        let signal = Signals.journal(.files(paths), from: start, follow: false, query: query).records(named: "here")
        return await values(of: signal).map { records in
            groupings.map { grouping in
                records.filter { $0.kind == .event }.reduce(into: RecordCounts()) { $0.add($1, in: grouping) }
            }
        }
    }

    private func counted(
        _ paths: [String],
        _ start: JournalStart,
        _ query: JournalQuery,
        _ groupings: [RecordGrouping],
        keeping kept: KeptColumns? = nil,
        _ strategy: CountingStrategy = .cheapest
    ) async -> JournalCounts? {
        let signal = Signals.journalCounts(
            .files(paths),
            from: start,
            query: query,
            by: groupings,
            of: "here",
            keeping: kept,
            strategy: strategy
        )
        return await values(of: signal).map { parts in
            parts.reduce(JournalCounts(groups: groupings.map { _ in RecordCounts() })) { counts, part in
                guard case .counts(let grown) = part else { return counts }
                #expect(grown.total >= counts.total)
                return grown
            }
        }
    }

    private func compare(
        _ paths: [String],
        _ expression: String,
        _ seed: UInt64,
        _ random: inout SeededGenerator,
        times: [UInt64] = [],
        keeping kept: KeptColumns? = nil,
        _ strategy: CountingStrategy = .cheapest
    ) async throws -> Int {
        let groupings = try (0..<random.number(1..<4)).map { _ in try grouping(&random) }
        let start =
            random.chance(30)
            ? times.randomElement(using: &random)
                .map { JournalStart.time(RecordTime(microseconds: Int64($0))) } : nil
        let query = try JournalQuery.filter(expression)
        let expected = await plain(paths, start ?? .head, query, groupings)
        let seen = await counted(paths, start ?? .head, query, groupings, keeping: kept, strategy)
        #expect((expected == nil) == (seen == nil))
        guard let expected, let seen else { return 0 }
        for (grouping, (one, other)) in zip(groupings, zip(expected, seen.groups)) {
            if one.counts == other.counts, one.total == other.total, other.total == seen.total, other.others == 0 {
                continue
            }
            Issue.record(
                """
                BUSCTL_RX_SEED=\(seed): \(strategy), \(expression) by \(grouping.fields.map(\.text)) in spans of \(grouping.span ?? 0)
                \(one.rows)
                but of \(seen.total)
                \(other.rows)
                """
            )
        }
        return seen.groups.reduce(0) { $0 + $1.counts.count }
    }

    @Test("finds as many as there are records, of each group and span, whatever the filter")
    func comparison() async throws {
        var groups = 0
        for seed in Seeds.first(Stress.rounds(4, stress: 250)) {
            var generator = SearchGenerator(seed: seed)
            let journals = generator.journals()
            let folder = try TemporaryFolder()
            let paths = try journals.write(to: folder)
            let times = journals.files.flatMap { $0.entries.map(\.realtime) }
            for _ in 0..<8 {
                let expression = generator.random.chance(40) ? "true" : generator.timed(generator.condition())
                groups += try await compare(paths, expression, seed, &generator.random, times: times)
            }
        }
        #expect(groups > 0)
    }

    @Test("counts an entry that several files have once")
    func copies() async throws {
        var groups = 0
        for seed in Seeds.first(Stress.rounds(10, stress: 2100)) {
            var generator = JournalGenerator(seed: seed)
            let journals = generator.journals()
            let folder = try TemporaryFolder()
            let paths = try journals.write(to: folder)
            for _ in 0..<3 { groups += try await compare(paths, "true", seed, &generator.random) }
        }
        #expect(groups > 0)
    }

    /// What is damaged within an entry does not show in the lists.
    @Test("counts what is left of damaged files, and by lists what can be read or what they have")
    func damage() async throws {
        var groups = 0
        for seed in Seeds.first(Stress.rounds(15, stress: 300)) {
            var generator = SearchGenerator(seed: seed)
            let folder = try TemporaryFolder()
            let path = try generator.damagedFile(seed: seed, in: folder)
            groups += try await compare([path], generator.condition(), seed, &generator.random, .entries)
            let groupings = [try grouping(&generator.random)]
            let expected = await plain([path], .head, .everything, groupings)
            let seen = await counted([path], .head, .everything, groupings, .values)
            let listed = (try? MergedJournal(files: [path]))?.files.first?.count
            let total = expected?.first?.total
            #expect(seen?.total == total || seen?.total == listed, "BUSCTL_RX_SEED=\(seed)")
        }
        #expect(groups > 0)
    }

    @Test("spans go by the time when an entry was made, also where groups read it")
    func sourceTimes() async throws {
        let entries = (1...50).map { number in
            let made = 1_700_000_000_000_000 + number * 60_000_000
            return JournalFileEntry(
                sequence: UInt64(number),
                realtime: UInt64(made) + 7_200_000_000,
                monotonic: UInt64(number),
                boot: JournalWriter.ID128(0, 1),
                fields: ["MESSAGE=a", "_SOURCE_REALTIME_TIMESTAMP=\(made / (number % 3 + 1) * (number % 3 + 1))"]
                    .map { Array($0.utf8) }
            )
        }
        let folder = try TemporaryFolder()
        let paths = try GeneratedJournals(files: [.init(form: JournalFileForm(), entries: entries)]).write(to: folder)
        for names in [[], ["message"], ["_SOURCE_REALTIME_TIMESTAMP"], ["message", "_SOURCE_REALTIME_TIMESTAMP"]] {
            let grouping = RecordGrouping(fields: try names.map { try FieldPath($0) }, every: .seconds(3600))
            let expected = await plain(paths, .head, .everything, [grouping])
            let seen = await counted(paths, .head, .everything, [grouping])
            #expect(seen?.total == 50 && seen?.groups.first?.counts == expected?.first?.counts, "\(names)")
        }
    }

    @Test("more groups than are held at once are all counted")
    func manyGroups() async throws {
        var entries: [JournalFileEntry] = []
        let boot = JournalWriter.ID128(0, 1)
        for number in 1...40_000 {
            let fields = ["MESSAGE=\(number % 35_000)", "PRIORITY=\(number % 8)"].map { Array($0.utf8) }
            entries.append(
                JournalFileEntry(
                    sequence: UInt64(number),
                    realtime: 1_700_000_000_000_000 + UInt64(number),
                    monotonic: UInt64(number),
                    boot: boot,
                    fields: fields
                )
            )
        }
        let folder = try TemporaryFolder()
        let paths = try GeneratedJournals(files: [.init(form: JournalFileForm(), entries: entries)]).write(to: folder)
        for names in [["message"], ["message", "priority"], ["priority"], []] {
            let grouping = RecordGrouping(fields: try names.map { try FieldPath($0) })
            let expected = await plain(paths, .head, .everything, [grouping])
            let seen = await counted(paths, .head, .everything, [grouping])
            #expect(seen?.total == 40_000 && seen?.groups.first?.counts == expected?.first?.counts, "\(names)")
        }
    }
    /// One file after the other, as journald rotates them: each begins when the one before it has ended.
    ///
    /// - Parameter isOneSource: whether all have numbers of one source.
    private func rotated(_ generator: inout SearchGenerator, isOneSource: Bool) -> GeneratedJournals {
        let all = generator.journals().files.flatMap(\.entries)
        var files: [GeneratedJournals.File] = []
        var boot = JournalWriter.ID128(0, 1)
        var (time, monotonic): (UInt64, UInt64) = (1_700_000_000_000_000, 1)
        for (number, entry) in all.enumerated() {
            if files.isEmpty || generator.random.chance(3) {
                var form = JournalFileForm()
                form.isCompact = generator.random.chance(50)
                form.isKeyed = generator.random.chance(50)
                form.fileID = JournalWriter.ID128(7, UInt64(files.count))
                if !isOneSource { form.sequenceID = form.fileID }
                files.append(.init(form: form, entries: []))
            }
            if isOneSource, generator.random.chance(2) { boot = JournalWriter.ID128(0, UInt64(number) + 2) }
            time += UInt64(generator.random.number(1..<5_000_000))
            monotonic += 1
            files[files.count - 1].entries.append(
                JournalFileEntry(
                    sequence: UInt64(number) + 1,
                    realtime: time,
                    monotonic: monotonic,
                    boot: boot,
                    fields: entry.fields
                )
            )
        }
        return GeneratedJournals(files: files)
    }

    private func files(_ paths: [String]) throws -> [JournalFile] {
        CountedFiles(among: try MergedJournal(files: paths).files).files
    }

    @Test("files that follow each other are counted by the lists of their values, the others beside them as ever")
    func rotation() async throws {
        var counted = 0
        for seed in Seeds.first(Stress.rounds(5, stress: 200)) {
            var generator = SearchGenerator(seed: seed)
            var journals = rotated(&generator, isOneSource: generator.random.chance(50))
            if generator.random.chance(30) { journals.files[journals.files.count - 1].form.state = .online }
            // Another user's file goes on beside some of them.
            if generator.random.chance(30), let file = generator.random.pick([journals.files.randomElement()]) {
                var other = file
                other.form.fileID = JournalWriter.ID128(8, 8)
                other.form.sequenceID = JournalWriter.ID128(8, 8)
                journals.files.append(other)
            }
            let folder = try TemporaryFolder()
            let paths = try journals.write(to: folder)
            counted += try files(paths).count
            let times = journals.files.flatMap { $0.entries.map(\.realtime) }
            let kept = KeptColumns()
            for _ in 0..<8 {
                let expression = generator.random.chance(30) ? "true" : generator.timed(generator.condition())
                let strategy = generator.random.pick([CountingStrategy.cheapest, .values, .values, .entries])
                _ = try await compare(
                    paths,
                    expression,
                    seed,
                    &generator.random,
                    times: times,
                    keeping: generator.random.chance(50) ? kept : nil,
                    strategy
                )
            }
        }
        #expect(counted > 0)
    }

    @Test("a file with a copy of an entry, with entries out of order, or being written is not counted by its lists")
    func apart() throws {
        var generator = SearchGenerator(seed: 3)
        let journals = rotated(&generator, isOneSource: true)
        try #require(journals.files.count > 3)
        func counted(_ change: (inout GeneratedJournals) -> Void) throws -> Int {
            var changed = journals
            change(&changed)
            let folder = try TemporaryFolder()
            return try files(changed.write(to: folder)).count
        }
        let count = journals.files.count
        #expect(try counted { _ in } == count)
        #expect(try counted { $0.files[count - 1].form.state = .online } == count - 1)
        #expect(try counted { $0.files[1].entries.append($0.files[2].entries[0]) } == count - 2)
        #expect(try counted { $0.files.append($0.files[0]) } == count - 1)
        #expect(
            try counted { journals in for index in journals.files.indices { journals.files[index].form.state = .online }
            } == 0
        )
    }
}
