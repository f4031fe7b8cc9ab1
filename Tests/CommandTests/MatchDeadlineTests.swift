import Testing
import Timers

@testable import busctl_rx

@Suite("The deadline for a match is suspended while a match is written")
struct MatchDeadlineTests {
    private func instant(_ seconds: Int64) -> TimerInstant { TimerInstant(nanoseconds: seconds * 1_000_000_000) }

    @Test("no match in time is silence, and a timer that fires early is set again")
    func silence() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        #expect(deadline.check(at: instant(9)) == .early(instant(10)))
        #expect(deadline.check(at: instant(10)) == .silence(of: nil))
    }

    @Test("a match restarts the deadline")
    func match() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        deadline.hold(at: instant(4))
        #expect(deadline.release(at: instant(5), afterMatchOf: nil) == nil)
        #expect(deadline.check(at: instant(10)) == .early(instant(15)))
        #expect(deadline.check(at: instant(15)) == .silence(of: nil))
    }

    @Test("of several overlapping writes the first starts and the last ends the suspension")
    func several() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        deadline.hold(at: instant(4))
        deadline.hold(at: instant(5))
        #expect(deadline.release(at: instant(6), afterMatchOf: nil) == nil)
        #expect(deadline.check(at: instant(15)) == .asleep)
        #expect(deadline.release(at: instant(20)) == instant(30))
        #expect(deadline.release(at: instant(40), afterMatchOf: nil) == nil)
    }

    @Test("a timer that fires during a write leaves the next timer to the write's end")
    func asleep() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        deadline.hold(at: instant(4))
        #expect(deadline.check(at: instant(10)) == .asleep)
        #expect(deadline.release(at: instant(30)) == instant(36))
        #expect(deadline.check(at: instant(36)) == .silence(of: nil))
    }

    @Test("a write that ends as the timer fires is not silence", arguments: [true, false])
    func race(afterMatch: Bool) {
        // Every place in the order of events at which the timer can fire. The timer is due at 10. The write lasts from
        // 9 to 11.
        for place in 0...2 {
            var deadline = MatchDeadline(.seconds(10), from: instant(0))
            var looks: [MatchDeadline.Check] = []
            var scheduled: [TimerInstant] = []
            func check() { looks.append(deadline.check(at: instant(10))) }
            if place == 0 { looks.append(deadline.check(at: instant(9))) }
            deadline.hold(at: instant(9))
            if place == 1 { check() }
            let timer =
                afterMatch ? deadline.release(at: instant(11), afterMatchOf: nil) : deadline.release(at: instant(11))
            if let timer { scheduled.append(timer) }
            if place == 2 { check() }
            let next = instant(afterMatch ? 21 : 12)
            let expected: [MatchDeadline.Check] = [[.early(instant(10))], [.asleep], [.early(next)]][place]
            #expect(looks == expected)
            // There is always exactly one timer: the one set by the look, or the one set at the end of the write.
            #expect(scheduled == (place == 1 ? [next] : []))
        }
    }

    @Test(
        "with values, the first silent one is reported; before the first value all share one deadline"
    )
    func values() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        #expect(deadline.check(at: instant(9)) == .early(instant(10)))
        for (second, value) in [(1, "a"), (2, "b"), (5, "a")] as [(Int64, String)] {
            deadline.hold(at: instant(second))
            #expect(deadline.release(at: instant(second), afterMatchOf: value) == nil)
        }
        #expect(deadline.check(at: instant(10)) == .early(instant(12)))
        #expect(deadline.check(at: instant(12)) == .silence(of: "b"))
    }

    @Test("the deadline of each value is suspended")
    func valuesWhileWriting() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        deadline.hold(at: instant(1))
        #expect(deadline.release(at: instant(1), afterMatchOf: "a") == nil)
        deadline.hold(at: instant(3))
        #expect(deadline.release(at: instant(103), afterMatchOf: "b") == nil)
        #expect(deadline.check(at: instant(110)) == .early(instant(111)))
        #expect(deadline.check(at: instant(111)) == .silence(of: "a"))
    }

    @Test("more values than it waits for are counted")
    func tooManyValues() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        for number in 0..<MatchDeadline.maxValues + 3 {
            deadline.hold(at: instant(1))
            #expect(deadline.release(at: instant(1), afterMatchOf: "\(number % (MatchDeadline.maxValues + 2))") == nil)
        }
        #expect(deadline.unwatched == 2)
    }
}
