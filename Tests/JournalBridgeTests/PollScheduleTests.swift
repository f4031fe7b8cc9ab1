import Testing

@testable import JournalBridge

@Suite("When a follower checks for new entries")
struct PollScheduleTests {
    /// The waits between checks until the reader waits for a notification, or `count` of them.
    private func waits(_ schedule: inout PollSchedule, isNotified: Bool, limit count: Int) -> [Int32] {
        var waits: [Int32] = []
        while waits.count < count, case let wait = schedule.next(isNotified: isNotified), wait >= 0 {
            waits.append(wait)
        }
        return waits
    }

    @Test("it checks often at first, then less often, and not at all after three seconds")
    func told() {
        var schedule = PollSchedule()
        let first = waits(&schedule, isNotified: true, limit: 1_000)
        #expect(first.prefix(50).allSatisfy { $0 == 5 })
        #expect(zip(first, first.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(first.count < 200)
        #expect((3_000...3_100).contains(first.reduce(0, +)))
        #expect(schedule.next(isNotified: true) == -1)
        schedule.reset()
        #expect(waits(&schedule, isNotified: true, limit: 1_000) == first)
    }

    @Test("where changes are not announced it continues to check once a second")
    func unnotified() {
        var schedule = PollSchedule()
        let waits = waits(&schedule, isNotified: false, limit: 1_000)
        #expect(waits.count == 1_000)
        #expect(waits.suffix(800).allSatisfy { $0 == 1_000 })
    }
}
