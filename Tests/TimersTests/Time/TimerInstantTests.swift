import Testing
import Timers

@Suite("Instants")
struct TimerInstantTests {
    static let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    static let shortest = Duration(secondsComponent: .min, attosecondsComponent: 0)

    @Test("arithmetic stops at the ends of the range instead of trapping")
    func saturates() {
        let instant = TimerInstant(nanoseconds: 5)
        #expect(instant.advanced(by: Self.longest) == .distantFuture)
        #expect(instant.advanced(by: Self.shortest) == .distantPast)
        #expect(TimerInstant.distantFuture.advanced(by: .nanoseconds(1)) == .distantFuture)
        #expect(TimerInstant.distantPast.advanced(by: .nanoseconds(-1)) == .distantPast)
        #expect(
            TimerInstant.distantPast.duration(to: .distantFuture) == .nanoseconds(Int64.max) - .nanoseconds(Int64.min)
        )
    }

    @Test("a fraction of a nanosecond counts as a whole one, so that no deadline is early")
    func roundsUp() {
        let zero = TimerInstant(nanoseconds: 0)
        #expect(zero.advanced(by: Duration(secondsComponent: 0, attosecondsComponent: 1)).nanoseconds == 1)
        #expect(zero.advanced(by: Duration(secondsComponent: 0, attosecondsComponent: 1_000_000_000)).nanoseconds == 1)
        #expect(
            zero.advanced(by: Duration(secondsComponent: 0, attosecondsComponent: -1_500_000_000)).nanoseconds == -1
        )
        #expect(zero.advanced(by: .seconds(-2) + .nanoseconds(1)).nanoseconds == -1_999_999_999)
    }

    @Test("the whole range of Int64 nanoseconds is exact", arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
    func exact(nanoseconds: Int64) {
        #expect(Duration.nanoseconds(nanoseconds).saturatedNanoseconds == nanoseconds)
    }

    @Test(
        "is written exactly, and as a time of day",
        arguments: [
            (0, "0.0", "1970-01-01T00:00:00Z"), (-1, "-0.000000001", "1969-12-31T23:59:59.999999999Z"),
            (1_500_000_000, "1.5", "1970-01-01T00:00:01.500Z"),
            (1_795_991_539_999_999_800, "1795991539.9999998", "2026-11-29T22:32:19.999999800Z"),
            (1_795_992_058_000_000_000, "1795992058.0", "2026-11-29T22:40:58Z"),
            (.min, "-9223372036.854775808", "1677-09-21T00:12:43.145224192Z"),
        ] as [(Int64, String, String)]
    )
    func texts(nanoseconds: Int64, seconds: String, date: String) {
        let instant = TimerInstant(nanoseconds: nanoseconds)
        #expect(instant.description == seconds + " seconds")
        #expect(instant.iso8601 == date)
    }
}
