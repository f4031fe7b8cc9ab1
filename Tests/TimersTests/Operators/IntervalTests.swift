import Bus
import BusTesting
import Synchronization
import Testing
import Timers

@Suite("interval")
struct IntervalTests {
    let time = TestScheduler()

    @Test("the first tick comes after one period, and each tick has its due time")
    func afterPeriod() {
        let ticks = Collected<Tick>()
        let subscription = Signals.interval(every: .milliseconds(10), on: time).subscribe(next: ticks.add)
        defer { subscription.dispose() }
        time.advance(by: .nanoseconds(9_999_999))
        #expect(ticks.all.isEmpty)
        time.advance(by: .nanoseconds(1))
        #expect(ticks.all == [tick(0, at: 10)])
        time.advance(by: .milliseconds(25))
        #expect(ticks.all == [tick(0, at: 10), tick(1, at: 20), tick(2, at: 30)])
    }

    @Test("the first tick at once, but not during subscribe")
    func immediately() {
        let ticks = Collected<Tick>()
        let signal = Signals.interval(every: .milliseconds(10), first: .immediately, on: time)
        let subscription = signal.subscribe(next: ticks.add)
        defer { subscription.dispose() }
        #expect(ticks.all.isEmpty)
        time.advance()
        #expect(ticks.all == [tick(0, at: 0)])
        time.advance(by: .milliseconds(10))
        #expect(ticks.all == [tick(0, at: 0), tick(1, at: 10)])
    }

    @Test("ticks missed while the handler was busy are skipped and counted, and nothing drifts")
    func missed() {
        let ticks = Collected<Tick>()
        let subscription = Signals.interval(every: .milliseconds(10), on: time).subscribe { [time] tick in
            ticks.add(tick)
            if tick.index == 0 { time.jump(by: .milliseconds(25)) }
        }
        defer { subscription.dispose() }
        time.advance(by: .milliseconds(60))
        #expect(
            ticks.all == [
                tick(0, at: 10), tick(2, at: 30, came: 35, missed: 1), tick(3, at: 40), tick(4, at: 50),
                tick(5, at: 60),
            ]
        )
        #expect(ticks.all[1].lateness == .milliseconds(5))
    }

    @Test("a process that was stopped for hours gets one tick that counts the rest")
    func stopped() {
        let ticks = Collected<Tick>()
        let subscription = Signals.interval(every: .seconds(1), on: time).subscribe(next: ticks.add)
        defer { subscription.dispose() }
        time.jump(by: .seconds(36_000.5))
        time.advance()
        #expect(ticks.all.map(\.missed) == [35_999])
        #expect(ticks.all.map(\.index) == [35_999])
        time.advance(by: .seconds(0.5))
        #expect(ticks.all.map(\.index) == [35_999, 36_000])
    }

    @Test("periods of zero, less, and the longest possible", arguments: [Duration.zero, .seconds(-1), .nanoseconds(1)])
    func shortPeriods(period: Duration) {
        let ticks = Collected<Tick>()
        _ = Signals.interval(every: period, on: time).take(first: 3).subscribe(next: ticks.add)
        time.advance(by: .seconds(1))
        #expect(ticks.all.map(\.scheduled.nanoseconds) == [16_384, 32_768, 49_152])

        let subscription = Signals.interval(every: TimerInstantTests.longest, on: time).subscribe(next: ticks.add)
        defer { subscription.dispose() }
        time.run()
        #expect(ticks.all.count == 3)
    }

    @Test("nothing is left in the scheduler when the observer has enough, and nothing after disposal")
    func ends() {
        let events = Collected<String>()
        _ = Signals.interval(every: .seconds(1), on: time).take(first: 2)
            .subscribe(next: { events.add("\($0.index)") }, completed: { events.add("|") })
        time.advance(by: .seconds(10))
        #expect(events.all == ["0", "1", "|"])
        #expect(time.pendingCount == 0)

        let subscription = Signals.interval(every: .seconds(1), on: time).subscribe { events.add("again \($0.index)") }
        time.advance(by: .seconds(1))
        subscription.dispose()
        #expect(time.pendingCount == 0)
        time.advance(by: .seconds(10))
        #expect(events.all == ["0", "1", "|", "again 0"])
    }

    @Test("disposing from inside a tick ends it there")
    func disposesItself() {
        let ticks = Collected<Int>()
        let subscription = SerialDisposable()
        subscription.set(
            Signals.interval(every: .seconds(1), on: time).subscribe { tick in
                ticks.add(tick.index)
                if tick.index == 1 { subscription.dispose() }
            }
        )
        time.advance(by: .seconds(10))
        #expect(ticks.all == [0, 1])
        #expect(time.pendingCount == 0)
    }

    @Test("disposal frees what the handler holds")
    func frees() {
        final class Held: Sendable {}
        weak var held: Held?
        func start() -> any Disposable {
            let strong = Held()
            held = strong
            return Signals.interval(every: .seconds(1), on: time).subscribe { _ in _ = strong }
        }
        let subscription = start()
        time.advance(by: .seconds(3))
        #expect(held != nil)
        subscription.dispose()
        #expect(held == nil)
    }

    @Test("on the real clock a tick is never early, and the numbers add up")
    func realClock() async throws {
        var next = 0
        for try await tick in Signals.interval(every: .milliseconds(2)).take(first: 20).values() {
            #expect(tick.actual >= tick.scheduled)
            #expect(tick.index == next + tick.missed)
            next = tick.index + 1
        }
        #expect(next >= 20)
    }

    private func tick(_ index: Int, at due: Int64, came: Int64? = nil, missed: Int = 0) -> Tick {
        Tick(
            index: index,
            scheduled: TimerInstant(nanoseconds: due * 1_000_000),
            actual: TimerInstant(nanoseconds: (came ?? due) * 1_000_000),
            missed: missed
        )
    }
}
