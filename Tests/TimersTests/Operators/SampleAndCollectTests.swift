import Bus
import BusTesting
import Testing
import Timers

@Suite("sample(every:)")
struct SampleTests {
    @Test("the latest value at each tick, nothing twice, the remaining value at completion")
    func samples() {
        #expect(
            violations(
                """
                self    --1-2-----3-----------4|
                sample  -----2----3------------(4|)
                """
            ) { $0.sample(every: .columns(5), on: $1) } == []
        )
    }

    @Test("the remaining value waits for its tick, or is dropped, if told to")
    func atCompletion() {
        #expect(
            violations("self --1-2-3|\nsample -----2----(3|)") {
                $0.sample(every: .columns(5), atCompletion: .wait, on: $1)
            } == []
        )
        #expect(
            violations("self --1-2-3|\nsample -----2-|") {
                $0.sample(every: .columns(5), atCompletion: .drop, on: $1)
            } == []
        )
    }

    @Test("a failure is heard at once")
    func fails() {
        #expect(violations("self --1-x\nsample ----x") { $0.sample(every: .columns(5), on: $1) } == [])
    }

    @Test("a silent source causes no wake-ups, and late ticks do not shift the beat")
    func beat() {
        let time = TestScheduler()
        let subject = Subject(of: Int.self)
        let recorder = time.record(subject.sample(every: .milliseconds(10), on: time))
        #expect(time.pendingCount == 0)
        time.advance(by: .milliseconds(47))
        subject.send(1)
        time.jump(by: .milliseconds(8))
        time.advance()
        subject.send(2)
        time.advance(by: .milliseconds(10))
        #expect(
            recorder.timeline == [
                Recorded(TimerInstant(nanoseconds: 55_000_000), .next(1)),
                Recorded(TimerInstant(nanoseconds: 60_000_000), .next(2)),
            ]
        )
        #expect(time.pendingCount == 0)
    }

    @Test("a tick that a late scheduler missed comes before the next value")
    func overdue() {
        let time = TestScheduler()
        let subject = Subject(of: Int.self)
        let recorder = time.record(subject.sample(every: .milliseconds(10), on: time))
        subject.send(1)
        time.jump(by: .milliseconds(25))
        subject.send(2)
        #expect(recorder.values == [1])
        time.advance(by: .milliseconds(5))
        #expect(recorder.values == [1, 2])
    }

    @Test("the shortest period is the resolution of timers, the longest has no tick")
    func extremes() {
        for period in [Duration.zero, .seconds(-1), TimerInstantTests.shortest, .nanoseconds(1)] {
            let time = TestScheduler()
            let subject = Subject(of: Int.self)
            let recorder = time.record(subject.sample(every: period, on: time))
            subject.send(1)
            time.advance(by: .milliseconds(1))
            #expect(recorder.timeline == [Recorded(TimerInstant(nanoseconds: 16_384), .next(1))])
        }
        #expect(
            violations("self --1-2|\nsample -----(2|)") { $0.sample(every: TimerInstantTests.longest, on: $1) } == []
        )
    }
}

@Suite("collect(every:limit:)")
struct CollectTests {
    @Test("batches by time and by number; the time starts at a batch's first value")
    func collects() {
        #expect(
            violations(
                """
                self     --1-2-----3-------4567---|
                collect  -------'12'----3----'456'(7|)
                """
            ) { $0.collect(every: .columns(5), limit: 3, on: $1).map { $0.map(String.init).joined() } } == []
        )
    }

    @Test("a value at the end of the batch's time belongs to the next")
    func boundary() {
        #expect(
            violations(
                """
                self     --1-2--3---------|
                collect  -------'12'-3----|
                """
            ) { $0.collect(every: .columns(5), on: $1).map { $0.map(String.init).joined() } } == []
        )
    }

    @Test("no batch is empty")
    func empty() {
        #expect(violations("self ----------|\ncollect ----------|") { $0.collect(every: .columns(2), on: $1) } == [])
    }

    @Test("a failure is heard at once")
    func fails() {
        #expect(violations("self --12x\ncollect ----x") { $0.collect(every: .columns(5), on: $1) } == [])
    }

    @Test("a limit of one or less makes batches of one", arguments: [1, 0, -3, Int.min])
    func smallLimit(limit: Int) {
        #expect(
            violations("self --1(23)-|\ncollect --1(23)-|") {
                $0.collect(every: .columns(5), limit: limit, on: $1).map { $0.map(String.init).joined() }
            } == []
        )
    }

    @Test("without a time a batch arrives as soon as the scheduler runs; with the longest, when it is full")
    func extremes() {
        for duration in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            #expect(
                violations("self --1-2-3|\ncollect --1-2-3|") {
                    $0.collect(every: duration, on: $1).map { $0.map(String.init).joined() }
                } == []
            )
        }
        #expect(
            violations("self --1-2----3-|\ncollect ----'12'---(3|)") {
                $0.collect(every: TimerInstantTests.longest, limit: 2, on: $1).map { $0.map(String.init).joined() }
            } == []
        )
    }
}
