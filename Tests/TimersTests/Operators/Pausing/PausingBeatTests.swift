import Bus
import BusTesting
import Testing
import Timers

@Suite("interval, timer and window without room")
struct PausingBeatTests {
    let time = TestScheduler()

    @Test("ticks due while the observer pauses are skipped, and the next one at its time counts them")
    func skips() {
        let recorder = ticks(.skip, after: 2)
        defer { recorder.dispose() }
        time.advance(by: .milliseconds(55))
        #expect(heard(recorder) == ["0@10", "1@20"])
        #expect(time.pendingCount == 0, "it sleeps until there is room")
        recorder.release(1)
        time.advance()
        #expect(recorder.valueCount == 2)
        time.advance(by: .milliseconds(5))
        #expect(heard(recorder) == ["0@10", "1@20", "5@60 missed 3"])
        recorder.release()
        time.advance(by: .milliseconds(10))
        #expect(heard(recorder).last == "6@70")
        #expect(recorder.overrun == 0)
    }

    @Test("a tick due just when there is room arrives")
    func justInTime() {
        let recorder = ticks(.skip, after: 1)
        defer { recorder.dispose() }
        time.advance(by: .milliseconds(40))
        recorder.release()
        time.advance()
        #expect(heard(recorder) == ["0@10", "3@40 missed 2"])
    }

    @Test("a pause that is over before the next tick misses none")
    func shortPause() {
        let recorder = ticks(.skip, after: 1)
        defer { recorder.dispose() }
        time.advance(by: .milliseconds(15))
        recorder.release()
        time.advance(by: .milliseconds(15))
        #expect(heard(recorder) == ["0@10", "1@20", "2@30"])
    }

    @Test("caught-up ticks arrive when there is room, as many as requested and fit")
    func catchesUp() {
        let all = ticks(.catchUp(atMost: 9), after: 1)
        time.advance(by: .milliseconds(55))
        #expect(time.pendingCount == 0)
        all.release(2)
        time.advance()
        #expect(heard(all) == ["0@10", "1@20 came 55", "2@30 came 55"])
        all.release()
        time.advance(by: .milliseconds(5))
        #expect(heard(all).suffix(3) == ["3@40 came 55", "4@50 came 55", "5@60"])
        all.dispose()

        let few = ticks(.catchUp(atMost: 1), after: 1, on: TestScheduler())
        defer { few.recorder.dispose() }
        few.time.advance(by: .milliseconds(55))
        few.recorder.release()
        few.time.advance()
        #expect(heard(few.recorder) == ["0@10", "3@40 came 55 missed 2", "4@50 came 55"])
    }

    @Test("without a fixed beat, a tick comes when there is room, and the next a period later")
    func delays() {
        let recorder = ticks(.delay, after: 1)
        defer { recorder.dispose() }
        time.advance(by: .milliseconds(55))
        recorder.release()
        time.advance(by: .milliseconds(15))
        #expect(heard(recorder) == ["0@10", "1@20 came 55", "2@65"])
    }

    @Test("an interval before a queue is paused by it, and its ticks report the pause")
    func behindQueue() {
        let recorder = PausingRecorder(
            Signals.interval(every: .milliseconds(10), on: time).deliver(on: time, limit: 4),
            after: 1
        )
        defer {
            recorder.dispose()
            // The values still to be delivered keep the scheduler.
            time.advance()
        }
        time.advance(by: .milliseconds(1000))
        recorder.release()
        time.advance(by: .milliseconds(1000))
        let ticks = recorder.values
        #expect(recorder.lost == 0)
        #expect(ticks.contains { $0.missed > 0 })
        #expect(ticks.map(\.missed).reduce(0, +) + ticks.count == 200)
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1.index == $0.index + $1.missed + 1 })
    }

    @Test("an interval and a timer disposed of while they are paused are freed")
    func freed() {
        let signals = [
            AnySignal(Signals.interval(every: .seconds(1), on: time)),
            AnySignal(Signals.timer(after: .seconds(1), on: time)),
        ]
        for signal in signals {
            let (recorder, isAlive) = holding { held in PausingRecorder(held.by(signal), after: 0) }
            time.advance(by: .seconds(2))
            #expect(recorder.values == [])
            #expect(recorder.isAwaited)
            #expect(isAlive())
            recorder.dispose()
            #expect(!isAlive())
            #expect(time.pendingCount == 0)
        }
    }

    @Test("a timer holds its tick until there is room")
    func timer() {
        let recorder = PausingRecorder(Signals.timer(after: .seconds(1), on: time), after: 0)
        time.advance(by: .seconds(5))
        #expect(recorder.events == [])
        #expect(time.pendingCount == 0)
        recorder.release(1)
        time.advance()
        let tick = Tick(
            index: 0,
            scheduled: TimerInstant(nanoseconds: 1_000_000_000),
            actual: TimerInstant(nanoseconds: 5_000_000_000),
            missed: 0
        )
        #expect(recorder.events == [.next(tick), .completed])
    }

    @Test("a calendar skips times while the observer pauses, and follows the clock meanwhile")
    func calendar() throws {
        // 1970-01-01 00:00.
        let quarters = try CalendarSchedule("*:0/15", local: .utc)
        let recorder = PausingRecorder(Signals.interval(calendar: quarters, on: time.wall), after: 1)
        let minute = Duration.seconds(60)
        time.advance(by: minute * 50)
        #expect(recorder.values.map(\.missed) == [0])
        #expect(time.pendingCount == 0)
        recorder.release(1)
        time.advance()
        #expect(recorder.valueCount == 1)
        time.advance(by: minute * 10)
        #expect(recorder.values.map(\.index) == [0, 3])
        #expect(recorder.values.last?.missed == 2)
        // Set back during a pause, the repeated times tick again.
        time.stepWall(by: minute * -30)
        time.advance(by: minute * 5)
        recorder.release()
        time.advance(by: minute * 10)
        #expect(recorder.values.last?.scheduled == TimerInstant(nanoseconds: 45 * 60 * 1_000_000_000))
        #expect(recorder.overrun == 0)
        recorder.dispose()
        #expect(time.pendingCount == 0)
    }

    @Test("a calendar that is over ends even without room")
    func calendarEnds() throws {
        let once = try CalendarSchedule("1970-1-1 00:10", local: .utc)
        let recorder = PausingRecorder(Signals.interval(calendar: once, on: time.wall), after: 1)
        time.advance(by: .seconds(3600))
        #expect(recorder.valueCount == 1)
        #expect(recorder.hasEnded)
    }

    @Test("without room for another window the open one stays open")
    func windows() {
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let heard = Collected<String>()
        let names = Collected<Int>()
        let recorder = PausingRecorder(
            source.window(every: .seconds(1), on: time),
            after: 1,
            onNext: { window in
                names.add(0)
                let name = names.all.count
                _ = window.subscribe(
                    next: { heard.add("\(name): \($0)") },
                    failed: { _ in },
                    completed: { heard.add("\(name)|") }
                )
            }
        )
        source.send(1)
        time.advance(by: .seconds(3))
        source.send(2)
        #expect(heard.all == ["1: 1", "1: 2"])
        #expect(source.pauses == 0)
        #expect(time.pendingCount == 0)
        recorder.release(1)
        source.send(3)
        #expect(heard.all == ["1: 1", "1: 2", "1|", "2: 3"])
        #expect(recorder.overrun == 0)
        recorder.dispose()
        #expect(source.liveSubscriptions == 0)
        #expect(time.pendingCount == 0)
    }

    @Test("without room for the first window none opens, and values wait for it", arguments: [0, 2_500])
    func firstWindow(wait: Int) {
        let source = Subject(of: Int.self)
        let heard = Collected<String>()
        let windows = source.window(every: .seconds(1), on: time)
        let recorder = PausingRecorder(
            windows,
            after: 0,
            onNext: { window in _ = window.subscribe(next: { heard.add("\($0)") }, completed: { heard.add("|") }) }
        )
        source.send(1)
        time.advance(by: .milliseconds(Int64(wait)))
        source.send(2)
        #expect(recorder.overrun == 0)
        #expect(recorder.valueCount == 0)
        #expect(source.demand == .pause)
        recorder.release(1)
        #expect(heard.all == ["1", "2"])
        #expect(source.demand == .more)
        recorder.release(1)
        time.advance(by: .seconds(1))
        source.send(3)
        #expect(heard.all == ["1", "2", "|", "3"])
        recorder.dispose()
        // If nothing waits for it, it opens as soon as there is room, and is timed from the start.
        let empty = PausingRecorder(windows, after: 0)
        empty.release(1)
        #expect(empty.valueCount == 1)
        #expect(time.pendingCount == 1)
        empty.dispose()
        #expect(time.pendingCount == 0)
    }

    @Test("a paused subscriber of the open window pauses the source, until it has room or the window closes")
    func insideWindows() {
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let inner = Collected<PausingRecorder<Int, TestFailure>>()
        let recorder = time.record(
            source.window(every: .seconds(1), on: time).map { window in
                inner.add(PausingRecorder(window, after: 1))
                return 0
            }
        )
        let calls = Collected<String>()
        source.send(1)
        #expect(source.lastAnswer == .pause)
        #expect(source.whenReady { calls.add("room") } == .pause)
        inner.all[0].release(1)
        #expect(calls.all == ["room"])
        source.send(2)
        #expect(source.lastAnswer == .pause)
        #expect(source.whenReady { calls.add("closed") } == .pause)
        time.advance(by: .seconds(1))
        #expect(calls.all == ["room", "closed"])
        source.send(3)
        #expect(inner.all.map(\.values) == [[1, 2], [3]])
        #expect(inner.all.map(\.overrun) == [0, 0])
        recorder.dispose()
        #expect(source.liveSubscriptions == 0)
    }

    private func ticks(_ missed: MissedTicks, after count: Int) -> PausingRecorder<Tick, Never> {
        ticks(missed, after: count, on: time).recorder
    }

    private func ticks(
        _ missed: MissedTicks,
        after count: Int,
        on time: TestScheduler
    ) -> (recorder: PausingRecorder<Tick, Never>, time: TestScheduler) {
        (PausingRecorder(Signals.interval(every: .milliseconds(10), missed: missed, on: time), after: count), time)
    }

    /// The ticks, in milliseconds.
    private func heard(_ recorder: PausingRecorder<Tick, Never>) -> [String] {
        recorder.values.map { tick in
            let (due, came) = (tick.scheduled.nanoseconds / 1_000_000, tick.actual.nanoseconds / 1_000_000)
            return "\(tick.index)@\(due)" + (came > due ? " came \(came)" : "")
                + (tick.missed > 0 ? " missed \(tick.missed)" : "")
        }
    }
}
