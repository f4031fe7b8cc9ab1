import Bus
import Foundation
import Timers
import Zones

/// What systemd-analyze printed for an expression, as recorded by `Scripts/record-calendar.py`.
struct RecordedCalendar: Sendable {
    enum Outcome: Equatable, Sendable {
        case refused
        /// systemd gave up on it.
        case stuck
        case times(normalForm: String, seconds: [Int64])
    }

    let zone: String
    let base: Int64
    let expression: String
    let outcome: Outcome

    static func all() throws -> [RecordedCalendar] {
        guard let file = Bundle.module.url(forResource: "Recorded/systemd-analyze", withExtension: "tsv") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { RecordedCalendar($0) }
    }

    private init?(_ line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 5, let base = Int64(fields[1]) else { return nil }
        zone = fields[0]
        self.base = base
        expression = fields[2]
        switch fields[3] {
        case "refused": outcome = .refused
        case "stuck": outcome = .stuck
        default:
            var last: Int64 = 0
            let seconds = fields[4].split(separator: ",").map { step -> Int64 in
                last += Int64(step) ?? 0
                return last
            }
            outcome = .times(normalForm: fields[3], seconds: seconds)
        }
    }

    /// The zone files with which systemd-analyze ran. Those of the machine change when a country changes its time.
    private static let database = ZoneDatabase(
        folder: Bundle.module.resourcePath.map { $0 + "/Recorded/zoneinfo" } ?? "",
        localFile: "",
        variable: { nil }
    )

    /// The zones, each read once.
    private static let zones = Lock<[String: ZoneInfo]>([:])

    private func readZone() throws -> ZoneInfo {
        if let known = Self.zones.withLock({ $0[zone] }) { return known }
        let read = try ZoneInfo(named: zone, in: Self.database)
        Self.zones.withLock { $0[zone] = read }
        return read
    }

    /// This package's result, in whole seconds as systemd-analyze prints them.
    func ours() throws -> Outcome {
        let zone = try readZone()
        guard let schedule = try? CalendarSchedule(expression, local: zone) else { return .refused }
        let base = TimerInstant(nanoseconds: base * 1_000_000_000)
        let times = schedule.occurrences(after: base).prefix(20).map { $0.nanoseconds / 1_000_000_000 }
        return .times(normalForm: schedule.description, seconds: times)
    }
}
