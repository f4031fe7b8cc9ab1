import Testing
import Timers

@testable import busctl_rx

@Suite("The deadline for a match stands still while one is being written")
struct MatchDeadlineTests {
    private func instant(_ seconds: Int64) -> TimerInstant { TimerInstant(nanoseconds: seconds * 1_000_000_000) }

    @Test("nothing in time is silence, and a timer that is early waits on")
    func silence() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        #expect(deadline.look(at: instant(9)) == .early(instant(10)))
        #expect(deadline.look(at: instant(10)) == .silence)
    }

    @Test("a match begins the count anew")
    func match() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        deadline.hold(at: instant(4))
        #expect(deadline.release(at: instant(5), afterMatch: true) == nil)
        #expect(deadline.look(at: instant(10)) == .early(instant(15)))
        #expect(deadline.look(at: instant(15)) == .silence)
    }

    @Test("of several at once the first begins and the last ends the waiting")
    func several() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        deadline.hold(at: instant(4))
        deadline.hold(at: instant(5))
        #expect(deadline.release(at: instant(6), afterMatch: true) == nil)
        #expect(deadline.look(at: instant(15)) == .asleep)
        #expect(deadline.release(at: instant(20), afterMatch: false) == instant(30))
        #expect(deadline.release(at: instant(40), afterMatch: true) == nil)
    }

    @Test("a timer that fires during the writing leaves the next one to its end")
    func asleep() {
        var deadline = MatchDeadline(.seconds(10), from: instant(0))
        deadline.hold(at: instant(4))
        #expect(deadline.look(at: instant(10)) == .asleep)
        #expect(deadline.release(at: instant(30), afterMatch: false) == instant(36))
        #expect(deadline.look(at: instant(36)) == .silence)
    }

    @Test("writing that ends as the timer fires is no silence", arguments: [true, false])
    func race(afterMatch: Bool) {
        // Every place in the order of events that the timer's one step can take. The timer is due at 10, and the writing
        // goes on from 9 to 11.
        for place in 0...2 {
            var deadline = MatchDeadline(.seconds(10), from: instant(0))
            var looks: [MatchDeadline.Look] = []
            var scheduled: [TimerInstant] = []
            func look() { looks.append(deadline.look(at: instant(10))) }
            if place == 0 { looks.append(deadline.look(at: instant(9))) }
            deadline.hold(at: instant(9))
            if place == 1 { look() }
            if let next = deadline.release(at: instant(11), afterMatch: afterMatch) { scheduled.append(next) }
            if place == 2 { look() }
            let next = instant(afterMatch ? 21 : 12)
            let expected: [MatchDeadline.Look] = [[.early(instant(10))], [.asleep], [.early(next)]][place]
            #expect(looks == expected)
            // There is always exactly one timer: that of the look, or that of the end of the writing.
            #expect(scheduled == (place == 1 ? [next] : []))
        }
    }
}
