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
}
