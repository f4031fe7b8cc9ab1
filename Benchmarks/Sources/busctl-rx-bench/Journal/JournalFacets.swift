import Bus
import Dispatch
import Filter
import Foundation
@_spi(Forced) import JournalBridge
import Records
import Synchronization

extension Benchmark {
    /// What a screen asks of a journal: the counts of several fields at once, over time, and under a filter, on one thread. An event is an
    /// entry of the journal, whether it is selected or not. The rates of netdata's journal plugin, which was measured elsewhere on
    /// other entries, stand in brackets.
    static let journalFacets = Benchmark(name: "journal-facets") { settings, report in
        let (units, wide) = (try SampleJournal.units(settings), try SampleJournal.wide(settings))
        let forced: [(String, CountingStrategy)] = [("entry by entry", .entries), ("by lists of values", .values)]
        let month = Duration.seconds(settings.unitEntries / 4 / 100)
        let word = "priority <= err && message =~ \"session 30\""
        let questions: [Facets] = try [
            Facets("one field (9.55 M/s)", units, settings.unitEntries, ["unit"], nanoseconds: 100),
            Facets("three fields (3.3 M/s)", units, settings.unitEntries, fields(3), nanoseconds: 200),
            Facets("twenty fields (0.45 M/s)", wide, settings.wideEntries, fields(20), nanoseconds: 500),
            Facets("100 steps of time (3 M/s)", units, settings.unitEntries, [], every: month, nanoseconds: 100),
            Facets(
                "three fields and 100 steps under a filter (0.24 M/s)",
                units,
                settings.unitEntries,
                fields(3),
                every: month,
                filter: word,
                nanoseconds: 500
            ),
            Facets(
                "one unit by priority",
                units,
                settings.unitEntries,
                ["PRIORITY"],
                filter: "unit == \"svc6.service\"",
                nanoseconds: 100
            ),
            Facets(
                "all but one user by unit",
                units,
                settings.unitEntries,
                ["_SYSTEMD_UNIT"],
                filter: "uid != 993",
                nanoseconds: 200
            ),
            Facets(
                "a rare word by unit",
                units,
                settings.unitEntries,
                ["_SYSTEMD_UNIT"],
                filter: "message.contains(\"took 99\")",
                nanoseconds: 1000
            ),
        ]
        for question in questions {
            let expected = try question.count(bySingleEntries: true)
            let contest = Contest(
                name: "counts of \(question.name)",
                events: settings.isQuick ? question.entries * 8 : question.entries,
                expected: { _ in expected },
                contenders: [.ours { _ in try question.count() }]
                    + forced.map { name, strategy in .instead(name) { _ in try question.count(by: strategy) } }
            )
            let bound = Bound(
                name: "counts of \(question.name)",
                limit: .median(atMost: question.nanoseconds),
                isEnforced: !settings.isQuick
            )
            // None of them is 1.3 times as fast as the one that was chosen.
            let choice = forced.map { name, _ in
                Bound(
                    name: "strategy for \(question.name)",
                    limit: .timesFaster(than: name, atLeast: 1 / 1.3),
                    isEnforced: !settings.isQuick
                )
            }
            report.add(try contest.run(settings), bounds: [bound] + choice)
        }
    }

    private static func fields(_ count: Int) -> [String] {
        let names = [
            "_SYSTEMD_UNIT", "SYSLOG_IDENTIFIER", "PRIORITY", "_HOSTNAME", "_TRANSPORT", "_PID", "_UID", "_GID",
            "_COMM",
            "_BOOT_ID", "_MACHINE_ID", "_RUNTIME_SCOPE", "SYSLOG_FACILITY", "_EXE", "_CAP_EFFECTIVE", "_SYSTEMD_SLICE",
            "_SYSTEMD_CGROUP", "CODE_FILE", "CODE_FUNC", "CODE_LINE",
        ]
        return Array(names.prefix(count))
    }
}

/// A question about a whole journal.
private struct Facets: Sendable {
    let name: String
    let entries: Int
    /// How long an entry may take.
    let nanoseconds: Double
    private let directory: String
    private let groupings: [RecordGrouping]
    private let filter: String?

    init(
        _ name: String,
        _ journal: SampleJournal,
        _ entries: Int,
        _ fields: [String],
        every span: Duration? = nil,
        filter: String? = nil,
        nanoseconds: Double
    ) throws {
        self.name = "\(name), \(journal.name)"
        self.entries = entries
        self.nanoseconds = nanoseconds
        self.filter = filter
        directory = journal.directory
        let bySpan = span.map { [RecordGrouping(every: $0)] } ?? []
        groupings = try bySpan + fields.map { RecordGrouping(fields: [try FieldPath($0)]) }
    }

    /// How many entries are selected.
    ///
    /// - Parameters:
    ///   - isPlain: whether they are read one by one, and not counted.
    ///   - strategy: how files are counted.
    func count(bySingleEntries isPlain: Bool = false, by strategy: CountingStrategy = .cheapest) throws -> UInt64 {
        let schema = JournalSchema()
        let query =
            try filter.map { JournalQuery(try CompiledFilter($0, schema: schema), schema: schema) } ?? .everything
        let answer = Answer()
        let journal = JournalSource.directory(directory)
        let subscription: any Disposable =
            if isPlain {
                Signals.journal(journal, from: .head, follow: false, query: query).subscribe(
                    next: { item in if item.entry != nil { answer.add(1) } },
                    failed: { answer.end("\($0)") },
                    completed: { answer.end(nil) }
                )
            } else {
                Signals.journalCounts(journal, query: query, by: groupings, strategy: strategy).subscribe(
                    next: { part in if case .counts(let counts) = part { answer.total(counts) } },
                    failed: { answer.end("\($0)") },
                    completed: { answer.end(nil) }
                )
            }
        defer { subscription.dispose() }
        return try answer.wait()
    }
}

/// What comes from the reading thread.
private final class Answer: Sendable {
    private let state = Mutex<(total: Int, failure: String?)>((0, nil))
    private let isOver = DispatchSemaphore(value: 0)

    func add(_ count: Int) { state.withLock { $0.total += count } }

    func total(_ counts: JournalCounts) {
        let isWhole = counts.groups.allSatisfy { $0.total == counts.total }
        state.withLock { $0 = (counts.total, isWhole ? nil : "the groups are not those of all entries") }
    }

    func end(_ failure: String?) {
        state.withLock { $0.failure = failure ?? $0.failure }
        isOver.signal()
    }

    func wait() throws -> UInt64 {
        isOver.wait()
        let (total, failure) = state.withLock { $0 }
        if let failure { throw Complaint(failure) }
        return UInt64(total)
    }
}
