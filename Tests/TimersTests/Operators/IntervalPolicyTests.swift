import Bus
import BusTesting
import Testing
@testable import Timers

@Suite("interval: starts, missed ticks, tolerance, jitter")
struct IntervalPolicyTests {
    @Test("from an instant: the first tick is due then, or whole periods after a past instant")
    func startsAt() {
        #expect(dues(schedule(.at(instant(25)), now: 10), 2) == [25, 35])
        #expect(dues(schedule(.at(instant(10)), now: 10), 2) == [10, 20])
        #expect(dues(schedule(.at(instant(3)), now: 10), 2) == [13, 23])
        #expect(dues(schedule(.at(instant(-7)), now: 10), 2) == [13, 23])
        #expect(dues(schedule(.at(instant(0)), now: 20), 2) == [20, 30], "a place in the beat that is now is in time")
    }

    @Test("catching up: up to a limit each missed tick arrives, the rest are counted")
    func catchesUp() {
        var all = schedule(missed: .catchUp(atMost: 100))
        #expect(all.tick(at: instant(45)) == tick(0, due: 10, came: 45))
        #expect(all.due == instant(20))
        #expect(all.tick(at: instant(45)) == tick(1, due: 20, came: 45))
        #expect(all.tick(at: instant(45)) == tick(2, due: 30, came: 45))
        #expect(all.tick(at: instant(45)) == tick(3, due: 40, came: 45))
        #expect(all.due == instant(50))

        var one = schedule(missed: .catchUp(atMost: 1))
        #expect(one.tick(at: instant(45)) == tick(2, due: 30, came: 45, missed: 2))
        #expect(one.tick(at: instant(45)) == tick(3, due: 40, came: 45))
        #expect(one.due == instant(50))

        var none = schedule(missed: .catchUp(atMost: -5))
        #expect(none.tick(at: instant(45)) == tick(3, due: 40, came: 45, missed: 3))
    }

    @Test("delaying: a tick that is a period late restarts the beat, and none is missed")
    func delays() {
        var schedule = schedule(missed: .delay)
        #expect(schedule.tick(at: instant(10)) == tick(0, due: 10, came: 10))
        #expect(schedule.tick(at: instant(25)) == tick(1, due: 20, came: 25))
        #expect(schedule.due == instant(30), "late by less than a period, it keeps the beat")
        #expect(schedule.tick(at: instant(47)) == tick(2, due: 30, came: 47))
        #expect(schedule.due == instant(57))
    }

    @Test("each policy as the documentation draws it")
    func drawn() {
        func come(_ missed: MissedTicks) -> [Int64] {
            let time = TestScheduler()
            let recorder = Recorder(
                Signals.interval(every: .milliseconds(10), missed: missed, on: time),
                on: time,
                onNext: { tick in
                    if tick.index == 0 { time.jump(by: .milliseconds(35)) }
                    return .more
                }
            )
            time.advance(by: .milliseconds(60))
            recorder.dispose()
            return recorder.values.map { $0.actual.nanoseconds / 1_000_000 }
        }
        #expect(come(.skip) == [10, 45, 50, 60])
        #expect(come(.catchUp(atMost: 10)) == [10, 45, 45, 45, 50, 60])
        #expect(come(.delay) == [10, 45, 55])
    }

    @Test("a tolerance lets ticks coincide at round instants: never early, never later than allowed")
    func tolerance() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<10_000 {
            let start = Int64.random(in: 0...1_000_000_000_000, using: &random)
            let period = Int64.random(in: 20_000...10_000_000_000, using: &random)
            let tolerance = Int64.random(in: 0...10_000_000_000, using: &random)
            let schedule = IntervalSchedule(
                start: TimerInstant(nanoseconds: start),
                period: .nanoseconds(period),
                first: .afterPeriod,
                tolerance: .nanoseconds(tolerance)
            )
            let lateness = schedule.wake.nanoseconds - schedule.due.nanoseconds
            guard lateness >= 0, lateness <= min(tolerance, period / 2) else {
                Issue.record("period \(period), tolerance \(tolerance): \(lateness) late")
                return
            }
        }
        let time = TestScheduler()
        let wakes = Collected<Int64>()
        for start in [0, 3, 7, 11] {
            time.advance(to: instant(Int64(start)))
            _ = Signals.interval(every: .milliseconds(1000), tolerance: .milliseconds(100), on: time)
                .take(first: 1)
                .subscribe { wakes.add($0.actual.nanoseconds) }
        }
        time.advance(by: .seconds(2))
        #expect(wakes.all.count == 4)
        #expect(Set(wakes.all).count == 1, "four ticks that were due at four times share one wake-up")
    }

    @Test("a tolerance of more than half a period is ignored, and so is a negative one")
    func extremeTolerance() {
        for tolerance in [TimerInstantTests.longest, .seconds(5)] {
            #expect(schedule(tolerance: tolerance).wake <= instant(15))
        }
        for tolerance in [TimerInstantTests.shortest, .seconds(-5), .zero] {
            #expect(schedule(tolerance: tolerance).wake == instant(10))
        }
    }

    @Test("jitter delays each tick by less than its bound, the same for the same seed")
    func jitter() {
        func offsets(_ jitter: Jitter) -> [Int64] {
            var schedule = schedule(jitter: jitter)
            return (1...200).map { number in
                let due = schedule.due
                #expect(schedule.tick(at: due).scheduled == due)
                return due.nanoseconds - Int64(number) * 10_000_000
            }
        }
        let each = offsets(.each(below: .milliseconds(4), seed: 1))
        #expect(each.allSatisfy { $0 >= 0 && $0 < 4_000_000 })
        #expect(Set(each).count > 100)
        #expect(each == offsets(.each(below: .milliseconds(4), seed: 1)))
        #expect(each != offsets(.each(below: .milliseconds(4), seed: 2)))
        #expect(each != offsets(.each(below: .milliseconds(4))))

        let once = offsets(.once(below: .milliseconds(4), seed: 1))
        #expect(Set(once).count == 1)
        #expect(once == offsets(.once(below: .milliseconds(4), seed: 1)))

        func machine(upTo max: Duration) -> [Int64] {
            offsets(.fixed(upTo: max, machine: [1, 2, 3], name: "job"))
        }
        #expect(Set(machine(upTo: .milliseconds(4))).count == 1)
        #expect(machine(upTo: .milliseconds(4)) == machine(upTo: .milliseconds(4)))
        // Less than a period, whatever the bound.
        #expect(machine(upTo: TimerInstantTests.longest).allSatisfy { $0 >= 0 && $0 < 10_000_000 })

        for bound in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            #expect(Set(offsets(.each(below: bound)) + offsets(.once(below: bound)) + machine(upTo: bound)) == [0])
        }
        #expect(offsets(.each(below: TimerInstantTests.longest)).allSatisfy { $0 >= 0 && $0 < 10_000_000 })
    }

    @Test("with jitter and missed ticks, numbers add up and nothing is early")
    func jitterAndMisses() {
        var random = SeededRandom(seed: 9)
        for policy in [MissedTicks.skip, .catchUp(atMost: 3), .delay] {
            var schedule = schedule(missed: policy, jitter: .each(below: .milliseconds(10), seed: 3))
            var now = schedule.due
            var next = 0
            for _ in 0..<1000 {
                let tick = schedule.tick(at: now)
                guard tick.index == next + tick.missed, tick.actual >= tick.scheduled else {
                    Issue.record("\(policy): \(tick) after \(next - 1)")
                    return
                }
                next = tick.index + 1
                let late = Int64.random(in: 0...35_000_000, using: &random)
                now = max(now, schedule.due.advanced(by: .nanoseconds(late)))
            }
        }
    }

    private func schedule(
        _ first: IntervalStart = .afterPeriod,
        missed: MissedTicks = .skip,
        tolerance: Duration = .zero,
        jitter: Jitter = .none,
        now: Int64 = 0
    ) -> IntervalSchedule {
        IntervalSchedule(
            start: instant(now),
            period: .milliseconds(10),
            first: first,
            missed: missed,
            tolerance: tolerance,
            jitter: jitter
        )
    }

    private func dues(_ schedule: IntervalSchedule, _ count: Int) -> [Int64] {
        var schedule = schedule
        return (0..<count).map { _ in schedule.tick(at: schedule.due).scheduled.nanoseconds / 1_000_000 }
    }

    private func instant(_ milliseconds: Int64) -> TimerInstant {
        TimerInstant(nanoseconds: milliseconds * 1_000_000)
    }

    private func tick(_ index: Int, due: Int64, came: Int64, missed: Int = 0) -> Tick {
        Tick(index: index, scheduled: instant(due), actual: instant(came), missed: missed)
    }
}
