import Testing
import Timers

@Suite("Calendar expressions as systemd reads them")
struct RecordedCalendarTests {
    /// Cases in which systemd 252 differs from its manual and this package does not: expressions, some in one zone.
    static let knownDifferences: [String: String] = [
        // After 23:45 it leaves out midnight, because the step leads past the hour.
        "*:0/45": "the midnight after a step past the hour",
        // It looks for CET only until it ends, and not at all while it is CEST.
        "*:30 CET": "the next winter",
        "12:00 CEST": "the next summer",
        "12:00 cest": "the next summer",
        // systemd looks for the hour that Dublin skips before the change, when its daylight-saving time is the
        // winter's. It then leaves out the whole day.
        "Europe/Dublin 1,2,3:30": "the day of the change",
        "Europe/Dublin 1/6:45": "the day of the change",
        "Europe/Dublin Sat,Sun 1..3:0/20": "the day of the change",
        // Its last time is one in EST, and then none follows.
        "*:15 EDT": "the end of daylight-saving time",
        // Each further element of a list may be three days closer to the month's end.
        "America/Sao_Paulo 2039/2-*~16,28/10 13/5,15:35,1/27": "a list of days from the month's end",
        "Africa/Cairo *-*~25,11/8,16 6:10/19,1..28,7..50": "a list of days from the month's end",
    ]

    @Test("hundreds of expressions in a dozen zones: same normal form, same 20 times, same ones refused")
    func recorded() throws {
        let cases = try RecordedCalendar.all()
        #expect(cases.count > 1000)
        #expect(Set(cases.map(\.expression)).count > 400)
        #expect(cases.count { $0.outcome == .refused } > 150)
        var differences: Set<String> = []
        for entry in cases where entry.outcome != .stuck {
            let ours = try entry.ours()
            if ours == entry.outcome { continue }
            let names = [entry.expression, "\(entry.zone) \(entry.expression)"]
            if let known = names.first(where: { Self.knownDifferences[$0] != nil }) {
                differences.insert(known)
            } else {
                Issue.record("\(names[1]) after \(entry.base): \(ours) instead of \(entry.outcome)")
            }
        }
        #expect(differences == Set(Self.knownDifferences.keys))
    }

    @Test("where systemd gives up, there are still times, each after the previous one")
    func stuck() throws {
        let cases = try RecordedCalendar.all().filter { $0.outcome == .stuck }
        #expect(!cases.isEmpty)
        for entry in cases {
            guard case .times(_, let times) = try entry.ours() else {
                Issue.record("\(entry.expression) was refused")
                continue
            }
            #expect(times.count == 20)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
    }
}
