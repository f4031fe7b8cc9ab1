import Bus
import Foundation
import Testing
import Timers

/// Tests what the documentation says of a wall clock that is set, with the kernel's own clock.
///
/// Runs only with TIMERS_SET_CLOCK=1, as a user who may set the clock, and on a machine where this disturbs nobody: the
/// clock is five seconds fast for about a second. It is corrected by the time that has passed on the boot clock.
@Suite("The machine's clock is set", .serialized)
struct WallClockSetTests {
    @Test(
        "forward and back: due work runs at once or waits, ticks are counted or repeated, other clocks are unaffected",
        .enabled(
            if: ProcessInfo.processInfo.environment["TIMERS_SET_CLOCK"] == "1",
            "sets the machine's clock; TIMERS_SET_CLOCK=1 allows it"
        )
    )
    func isSet() async throws {
        let right = MachineClock()
        try #require(right.set(ahead: 0) == nil, "the kernel refuses to set the clock: this needs CAP_SYS_TIME")
        // In a separate process, so that the clock is corrected here however that one ends.
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent, \.standardErrorContent]
        ) {
            alarm(40)
            var run = try WallClockRun()
            run.setForward()
            run.setBack()
            run.finish()
        }
        #expect(right.restore() == nil)
        for said in [result?.standardOutputContent, result?.standardErrorContent] {
            print(String(decoding: said ?? [], as: UTF8.self))
        }
        print("the clock is off by \(MachineClock().offset - right.offset) ns")
        #expect(abs(MachineClock().offset - right.offset) < 50_000_000)
    }
}

/// The original wall clock, computed from the boot clock.
private struct MachineClock {
    let offset: Int64

    init() {
        var best: (error: Int64, offset: Int64) = (.max, 0)
        for _ in 0..<100 {
            let before = SystemClock.boot.now.nanoseconds
            let reading = SystemClock.wall.now.nanoseconds
            let error = SystemClock.boot.now.nanoseconds - before
            if error < best.error { best = (error, reading - before - error / 2) }
        }
        offset = best.offset
    }

    /// Corrects the clock to within some microseconds, even if the thread loses the processor between reading and
    /// setting. Returns the kernel's error.
    func restore() -> CInt? {
        for _ in 0..<100 {
            if let error = set(ahead: 0) { return error }
            if abs(MachineClock().offset - offset) < 5000 { return nil }
        }
        return nil
    }

    /// Sets the clock this many nanoseconds ahead of what it would have shown. Returns the kernel's error.
    func set(ahead: Int64) -> CInt? {
        let nanoseconds = SystemClock.boot.now.nanoseconds + offset + ahead
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        return clock_settime(CLOCK_REALTIME, &time) == 0 ? nil : errno
    }
}

private struct WallClockRun {
    private let right = MachineClock()
    private let thread = ThreadScheduler(name: "test-set")
    private let wall: WallScheduler
    private let monotonic: TimerScheduler
    private let steps = Collected<ClockStep>()
    private let wallTicks = Collected<Tick>()
    private let calendarTicks = Collected<Tick>()
    private let monotonicTicks = Collected<Tick>()
    private var subscriptions: [any Disposable] = []
    private let monotonicStart: TimerInstant

    private static let distance: Int64 = 5_000_000_000

    init() throws {
        wall = try WallScheduler(on: thread)
        monotonic = try TimerScheduler(on: thread)
        monotonicStart = monotonic.now
        subscriptions = [
            wall.steps.subscribe(next: { [steps] in steps.add($0) }),
            Signals.interval(every: .milliseconds(500), on: wall).subscribe(next: { [wallTicks] in wallTicks.add($0) }),
            Signals.interval(every: .milliseconds(50), on: monotonic)
                .subscribe(next: { [monotonicTicks] in monotonicTicks.add($0) }),
            Signals.interval(calendar: try CalendarSchedule("*:*:*"), on: wall)
                .subscribe(next: { [calendarTicks] in calendarTicks.add($0) }),
        ]
        waitUntil("the first ticks") { [calendarTicks, wallTicks] in
            !calendarTicks.all.isEmpty && wallTicks.all.count > 1
        }
    }

    /// A timer whose time this passes is due at once. A later timer is closer. Ticks in between are counted.
    mutating func setForward() {
        let ran = Collected<(wall: TimerInstant, boot: TimerInstant)>()
        let due = wall.now.advanced(by: .seconds(4))
        let later = wall.schedule(at: wall.now.advanced(by: .seconds(3600))) { preconditionFailure("an hour early") }
        _ = wall.schedule(at: due) { ran.add((SystemClock.wall.now, SystemClock.boot.now)) }
        let (wallBefore, calendarBefore) = (wallTicks.all.count, calendarTicks.all.count)
        let before = SystemClock.boot.now
        precondition(right.set(ahead: Self.distance) == nil, "the clock could not be set")
        waitUntil("what became due") { [steps] in !ran.all.isEmpty && !steps.all.isEmpty }
        precondition(ran.all[0].wall >= due, "early")
        precondition(ran.all[0].boot < before.advanced(by: .seconds(3)), "not at once")
        print("forward: due after \(before.duration(to: ran.all[0].boot)); \(steps.all[0])")
        precondition(isNear(steps.all[0], Self.distance), "\(steps.all)")
        waitUntil("the ticks after the step") { [wallTicks, calendarTicks] in
            wallTicks.all.count > wallBefore && calendarTicks.all.count > calendarBefore
        }
        let (tick, calendarTick) = (wallTicks.all[wallBefore], calendarTicks.all[calendarBefore])
        print("forward: \(tick.missed) ticks of 500 ms missed, \(calendarTick.missed) of the calendar's seconds")
        // A busy machine may have delivered one more before the clock was set.
        precondition(wallTicks.all.contains { (8...12).contains($0.missed) }, "\(wallTicks.all)")
        precondition(calendarTicks.all.contains { (3...6).contains($0.missed) }, "\(calendarTicks.all)")
        precondition(later.reschedule(to: .distantFuture))
        later.cancel()
    }

    /// A timer waits for its time, whether it was due and had not begun to run or was not yet due. The calendar's times
    /// are repeated.
    mutating func setBack() {
        let ran = Collected<(name: String, deadline: TimerInstant, wall: TimerInstant, boot: TimerInstant)>()
        let (busy, blocked) = (Latch(), Latch())
        wall.schedule {
            busy.open()
            blocked.wait()
        }
        busy.wait()
        let start = wall.now
        for (name, distance) in [("due", 20), ("to come", 400)] {
            let deadline = start.advanced(by: .milliseconds(distance))
            _ = wall.schedule(at: deadline) {
                ran.add((name, deadline, SystemClock.wall.now, SystemClock.boot.now))
            }
        }
        while wall.now < start.advanced(by: .milliseconds(60)) { usleep(1000) }
        let (calendarBefore, stepsBefore) = (calendarTicks.all, steps.all.count)
        let before = SystemClock.boot.now
        precondition(right.set(ahead: 0) == nil, "the clock could not be set back")
        blocked.open()
        waitUntil("both timers") { ran.all.count == 2 }
        for timer in ran.all {
            precondition(timer.wall >= timer.deadline, "\(timer.name) is early")
            let waited = before.duration(to: timer.boot)
            print("back: what was \(timer.name) ran \(waited) after the step, \(timer.wall - timer.deadline) late")
            precondition(waited > .milliseconds(4900), "\(timer.name) did not wait for its time")
        }
        precondition(ran.all.map(\.name) == ["due", "to come"])
        precondition(
            steps.all.count == stepsBefore + 1 && isNear(steps.all[stepsBefore], -Self.distance),
            "\(steps.all)"
        )
        print("back: \(steps.all[stepsBefore])")
        let again = calendarTicks.all.dropFirst(calendarBefore.count)
        guard let last = calendarBefore.last?.scheduled else { preconditionFailure("no tick before the step") }
        print("back: \(again.count { $0.scheduled <= last }) of the calendar's seconds came again")
        precondition(again.count { $0.scheduled <= last } >= 2, "\(again)")
    }

    /// Those on the monotonic clock are unaffected, and none was early or lost without being counted.
    func finish() {
        for subscription in subscriptions { subscription.dispose() }
        var next = 0
        for tick in monotonicTicks.all {
            precondition(tick.index == next + tick.missed, "a tick was lost uncounted")
            precondition(tick.actual >= tick.scheduled, "a tick is early")
            precondition(tick.lateness < .seconds(2), "late by \(tick.lateness)")
            let place = monotonicStart.advanced(by: .milliseconds(50) * (tick.index + 1)).duration(to: tick.scheduled)
            precondition(place >= .zero && place < .seconds(1), "off its grid by \(place)")
            next = tick.index + 1
        }
        print("monotonic: \(monotonicTicks.all.count) ticks, \(monotonicTicks.all.reduce(0) { $0 + $1.missed }) missed")
        for tick in wallTicks.all + calendarTicks.all { precondition(tick.actual >= tick.scheduled, "a tick is early") }
        for (a, b) in zip(wallTicks.all, wallTicks.all.dropFirst()) {
            precondition(b.index == a.index + 1 + b.missed, "a tick was lost uncounted")
        }
    }

    private func isNear(_ step: ClockStep, _ distance: Int64) -> Bool {
        let error = step.distance - .nanoseconds(distance)
        return error > .milliseconds(-50) && error < .milliseconds(50)
    }

    /// `alarm` ends the process if it never happens.
    private func waitUntil(_ what: String, _ condition: () -> Bool) {
        while !condition() { usleep(1000) }
    }
}
