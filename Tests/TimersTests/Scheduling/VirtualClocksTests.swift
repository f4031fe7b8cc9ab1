import Bus
import BusTesting
import Testing
import Timers

@Suite("Virtual clocks: boot and wall")
struct VirtualClocksTests {
    let time = TestScheduler(wallTime: TimerInstant(nanoseconds: 1000))
    let log = Collected<String>()

    @Test("the three clocks show the same until something happens to the machine")
    func clocks() {
        #expect(time.now.nanoseconds == 0)
        #expect(time.boot.now.nanoseconds == 0)
        #expect(time.wall.now.nanoseconds == 1000)
        time.advance(by: .nanoseconds(10))
        #expect(time.boot.now.nanoseconds == 10)
        #expect(time.wall.now.nanoseconds == 1010)
        time.suspend(for: .nanoseconds(100))
        #expect(time.now.nanoseconds == 10)
        #expect(time.boot.now.nanoseconds == 110)
        #expect(time.wall.now.nanoseconds == 1110)
        time.stepWall(by: .nanoseconds(-1000))
        #expect(time.wall.now.nanoseconds == 110)
        #expect(time.boot.now.nanoseconds == 110)
    }

    @Test("suspended, the boot clock's timers come due and the monotonic clock's do not")
    func suspends() {
        note("monotonic", on: time, at: 50)
        note("boot", on: time.boot, at: 50)
        note("wall", on: time.wall, at: 1050)
        time.suspend(for: .nanoseconds(60))
        #expect(log.all.isEmpty, "nothing runs by itself")
        time.advance()
        #expect(log.all.sorted() == ["boot", "wall"])
        time.advance(by: .nanoseconds(50))
        #expect(log.all.last == "monotonic")
        #expect(time.now.nanoseconds == 50)
    }

    @Test("the wall clock set forward makes its timers due, set back lets them wait; the others are unaffected")
    func steps() {
        let steps = time.wall.steps.subscribe(next: { [log] in log.add("\($0)") })
        defer { steps.dispose() }
        note("wall", on: time.wall, at: 2000)
        note("boot", on: time.boot, at: 1500)
        time.stepWall(by: .nanoseconds(-500))
        time.advance(by: .nanoseconds(1499))
        #expect(time.wall.now.nanoseconds == 1999)
        #expect(log.all == ["the clock was set back by 5e-07 seconds"])
        time.advance(by: .nanoseconds(1))
        #expect(Set(log.all.dropFirst()) == ["wall", "boot"])
        note("next", on: time.wall, at: 100_000)
        time.stepWall(by: .nanoseconds(98_000))
        time.advance()
        #expect(log.all.last == "next" || log.all.dropLast().last == "next")
        #expect(time.pendingCount == 0)
    }

    @Test("a timer that was due when the clock was set back waits for its time")
    func setBackWhileDue() {
        note("wall", on: time.wall, at: 1500)
        time.jump(by: .nanoseconds(600))
        time.stepWall(by: .nanoseconds(-300))
        time.advance(by: .nanoseconds(199))
        #expect(log.all.isEmpty)
        time.advance(by: .nanoseconds(1))
        #expect(log.all == ["wall"])
    }

    @Test(
        "durations of every size do not trap",
        arguments: [
            Duration.zero, .seconds(-5), .seconds(Int64.max), .seconds(Int64.min),
        ]
    )
    func anyDuration(duration: Duration) {
        note("never", on: time.wall, at: .max)
        time.stepWall(by: duration)
        time.suspend(for: duration)
        time.jump(by: duration)
        time.advance(by: duration)
        #expect(log.all.isEmpty)
        #expect(time.pendingCount == 1)
    }

    @Test("a wall clock at the beginning of its range; what comes only behind the other clocks' range never comes")
    func distantPast() {
        let time = TestScheduler(wallTime: .distantPast)
        note("soon", on: time.wall, at: .min + 5)
        note("never", on: time.wall, at: 0)
        time.run()
        #expect(log.all == ["soon"])
        #expect(time.now.nanoseconds == 5)
        time.advance(to: .distantFuture)
        #expect(log.all == ["soon"])
        #expect(time.pendingCount == 1)
    }

    private func note(_ name: String, on scheduler: some TimedScheduler, at nanoseconds: Int64) {
        _ = scheduler.schedule(at: TimerInstant(nanoseconds: nanoseconds)) { [log] in log.add(name) }
    }
}
