import Foundation
import TestSupport
import Testing
import Timers

/// What croniter made of cron expressions, as recorded by `Scripts/record-cron.py`.
@Suite("Cron expressions as croniter reads them")
struct RecordedCronTests {
    private struct Entry {
        let zone: String
        let base: TimerInstant
        let expression: String
        /// Seconds since 1970; nil for an expression that was refused.
        let times: [Int64]?

        init(_ line: Substring) throws {
            let fields = line.split(separator: "\t").map(String.init)
            try #require(fields.count == 4)
            zone = fields[0]
            base = TimerInstant(nanoseconds: try #require(Int64(fields[1])) * 1_000_000_000)
            expression = fields[2]
            guard fields[3] != "refused" else {
                times = nil
                return
            }
            var last: Int64 = 0
            times = try fields[3].split(separator: ",").map { step in
                last += try #require(Int64(step))
                return last
            }
        }
    }

    @Test("thousands of expressions, instants and zones: the same times, the same ones refused")
    func recorded() throws {
        let file = try #require(Bundle.module.url(forResource: "Recorded/croniter", withExtension: "tsv"))
        let entries = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(Entry.init)
        #expect(entries.count > 3000 && Set(entries.map(\.zone)).count > 5)
        var zones: [String: ZoneInfo] = [:]
        for entry in entries {
            let zone = try zones[entry.zone] ?? ZoneInfo(named: entry.zone)
            zones[entry.zone] = zone
            let schedule = try? CalendarSchedule(cron: entry.expression, local: zone)
            let times = schedule?.occurrences(after: entry.base).prefix(entry.times?.count ?? 0)
                .map { $0.nanoseconds / 1_000_000_000 }
            if times != entry.times {
                let said = entry.times.map { "\($0)" } ?? "refused"
                Issue.record("\(entry.zone) \(entry.expression) after \(entry.base): \(times ?? []), not \(said)")
            }
        }
    }
}
