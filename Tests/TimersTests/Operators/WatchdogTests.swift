import Bus
import BusTesting
import Testing
import Timers

@Suite("watchdog")
struct WatchdogTests {
    @Test("it reports silence, and again each time the same period has passed")
    func speaks() {
        #expect(
            violations(
                """
                self      --1--2------------3--|
                watchdog  --1--2---0---0---03--|
                """
            ) { $0.watchdog(.columns(4), on: $1) { _ in 0 } } == []
        )
    }

    @Test("it waits for the first value, too, and can report once in a silence")
    func once() {
        #expect(
            violations(
                """
                self      -----------1-----------2-|
                watchdog  ----0------1---0-------2-|
                """
            ) { $0.watchdog(.columns(4), on: $1) { $0.count == 1 ? 0 : nil } } == []
        )
    }

    @Test("a failure ends the watch")
    func fails() {
        #expect(violations("self --1--x\nwatchdog --1--x") { $0.watchdog(.columns(4), on: $1) { _ in 0 } } == [])
    }

    @Test("a report says how long the silence is; reports missed by a late scheduler are counted")
    func silence() {
        let time = TestScheduler()
        let silences = Collected<Silence>()
        let subject = Subject(of: Int.self)
        let subscription = subject.watchdog(.seconds(1), on: time) { silence in
            silences.add(silence)
            return nil
        }
        .subscribe()
        defer { subscription.dispose() }
        time.advance(by: .seconds(1))
        time.jump(by: .seconds(3.5))
        time.advance(by: .seconds(0.5))
        let start = TimerInstant(nanoseconds: 0)
        #expect(
            silences.all == [
                Silence(since: start, duration: .seconds(1), count: 1),
                Silence(since: start, duration: .seconds(4.5), count: 4),
                Silence(since: start, duration: .seconds(5), count: 5),
            ]
        )
    }

    @Test("a thousand values touch one timer")
    func oneTimer() {
        let time = TestScheduler()
        let subject = Subject(of: Int.self)
        let recorder = time.record(subject.watchdog(.seconds(5), on: time) { _ in -1 })
        for value in 0..<1000 {
            time.advance(by: .seconds(1))
            subject.send(value)
            #expect(time.pendingCount == 1)
        }
        #expect(recorder.values.elementsEqual(0..<1000))
        recorder.dispose()
        #expect(time.pendingCount == 0)
    }

    @Test("an observer that has enough after a report ends it")
    func stops() {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = time.record(source.watchdog(.seconds(1), on: time) { _ in 0 }.take(first: 1))
        time.advance(by: .seconds(1))
        #expect(recorder.events == [.next(0), .completed])
        #expect(source.liveSubscriptions == 0)
        #expect(time.pendingCount == 0)
    }

    @Test("the shortest period is the resolution of timers, the longest never reports")
    func extremes() {
        for duration in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            let time = TestScheduler()
            let recorder = time.record(
                Signals.never(Int.self).watchdog(duration, on: time) { $0.count }.take(first: 3)
            )
            time.advance(by: .seconds(1))
            #expect(recorder.values == [1, 2, 3])
        }
        let time = TestScheduler()
        let recorder = time.record(
            Signals.never(Int.self).watchdog(TimerInstantTests.longest, on: time) { $0.count }
        )
        time.run()
        #expect(recorder.events.isEmpty)
        recorder.dispose()
    }
}
