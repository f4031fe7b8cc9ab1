import Bus
import BusTesting
import Testing
import Timers

@Suite("delay")
struct DelayTests {
    @Test("values and completion are delayed, failures arrive at once or in order")
    func delays() {
        #expect(
            violations(
                """
                self   --1--2------3|
                delay  ------1--2------3|
                """
            ) { $0.delay(.columns(4), on: $1) } == []
        )
        #expect(
            violations(
                """
                self   --1--2--x
                delay  ------1-x
                """
            ) { $0.delay(.columns(4), on: $1) } == []
        )
        #expect(
            violations(
                """
                self   --1--2--x
                delay  ------1--2--x
                """
            ) { $0.delay(.columns(4), failure: .delayed, on: $1) } == []
        )
    }

    @Test("many delayed values keep their order and distances")
    func many() {
        #expect(
            violations(
                """
                self   1(23)4-5|
                delay  -----1(23)4-5|
                """
            ) { $0.delay(.columns(5), on: $1) } == []
        )
    }

    @Test("empty, and disposed of")
    func empty() {
        #expect(violations("self -|\ndelay ----|") { $0.delay(.columns(3), on: $1) } == [])
        #expect(violations("self -12-\ndelay ----1!") { $0.delay(.columns(3), on: $1) } == [])
    }

    @Test("an observer that has enough ends it, and no delayed value is left")
    func stops() {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = time.record(source.delay(.seconds(1), on: time).take(first: 1))
        for value in 1...5 { source.send(value) }
        time.advance(by: .seconds(1))
        #expect(recorder.values == [1])
        #expect(recorder.hasEnded)
        #expect(source.liveSubscriptions == 0)
        #expect(time.pendingCount == 0)
    }

    @Test("a late scheduler delivers all due values, in order, and nothing early")
    func late() {
        let time = TestScheduler()
        let subject = Subject(of: Int.self)
        let recorder = time.record(subject.delay(.milliseconds(10), on: time))
        for value in 0..<1000 {
            subject.send(value)
            time.jump(by: .microseconds(100))
        }
        time.advance()
        #expect(recorder.values.elementsEqual(0...900))
        time.run()
        #expect(recorder.values.elementsEqual(0..<1000))
    }

    @Test("beyond the limit the newest or the oldest is lost, counted, and missing in its place")
    func overflow() {
        func heard(_ overflow: Overflow<Never>) -> [String] {
            let time = TestScheduler()
            let subject = Subject(of: Int.self)
            let heard = Collected<String>()
            _ = subject.delay(.seconds(1), limit: 3, overflow: overflow, on: time).subscribe(
                next: { heard.add("\($0)") },
                completed: { heard.add("|") },
                lost: { heard.add("lost \($0)") }
            )
            for value in 1...6 { subject.send(value) }
            subject.complete()
            time.advance(by: .seconds(1))
            return heard.all
        }
        #expect(heard(.dropNewest) == ["1", "2", "3", "lost 3", "|"])
        #expect(heard(.dropOldest) == ["lost 3", "4", "5", "6", "|"])
        // A subject continues when it is told to pause.
        #expect(heard(.pause) == ["1", "2", "3", "lost 3", "|"])
    }

    @Test("failing on overflow comes after the delayed values")
    func overflowFails() {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = time.record(
            source.delay(.seconds(1), limit: 2, overflow: .fail { TestFailure(stringLiteral: "\($0) lost") }, on: time)
        )
        for value in 1...5 { source.send(value) }
        #expect(source.liveSubscriptions == 0, "more is not wanted")
        time.run()
        #expect(recorder.events == [.next(1), .next(2), .failed("1 lost")])
        #expect(time.pendingCount == 0)
    }

    @Test("a source on its own thread is slowed and loses nothing")
    func slowed() throws {
        let time = try TimerScheduler(on: ThreadScheduler(name: "delay"))
        let recorder = Recorder(
            Signals.from(0..<20).subscribe(on: ThreadScheduler(name: "source"))
                .delay(.milliseconds(1), limit: 2, on: time)
        )
        recorder.waitForEnd()
        #expect(recorder.values.elementsEqual(0..<20))
        #expect(recorder.lost == 0)
    }

    @Test("losses upstream are heard in their place")
    func losses() {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let heard = Collected<String>()
        _ = source.delay(.seconds(1), on: time).subscribe(
            next: { heard.add("\($0)") },
            failed: { _ in },
            completed: { heard.add("|") },
            lost: { heard.add("lost \($0)") }
        )
        source.send(1)
        source.sendLoss(of: 2)
        source.sendLoss(of: 3)
        source.send(4)
        source.complete()
        #expect(heard.all == [])
        time.run()
        #expect(heard.all == ["1", "lost 5", "4", "|"])
    }

    @Test("zero and less: as soon as the scheduler runs; the longest: never")
    func extremes() {
        for duration in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            #expect(violations("self -1(23)-|\ndelay -1(23)-|") { $0.delay(duration, on: $1) } == [])
        }
        #expect(violations("self -1(23)-|\ndelay ------") { $0.delay(TimerInstantTests.longest, on: $1) } == [])
    }
}

@Suite("rateLimit")
struct RateLimitTests {
    @Test("one value in each period; the others and the end wait")
    func one() {
        #expect(
            violations(
                """
                self       -123456-------------7|
                rateLimit  -1--2--3--4--5--6---7|
                """
            ) { $0.rateLimit(1, per: .columns(3), on: $1) } == []
        )
        #expect(
            violations("self -12|\nrateLimit -1--(2|)") { $0.rateLimit(1, per: .columns(3), on: $1) } == []
        )
        #expect(
            violations("self -12x\nrateLimit -1--(2x)") { $0.rateLimit(1, per: .columns(3), on: $1) } == []
        )
    }

    @Test("after a pause a burst passes without waiting")
    func burst() {
        #expect(
            violations(
                """
                self       -123456-------------7|
                rateLimit  -1234--5--6---------7|
                """
            ) { $0.rateLimit(1, per: .columns(3), burst: 3, on: $1) } == []
        )
    }

    @Test("values without a token are dropped and counted, if told to")
    func policing() {
        let time = TestScheduler()
        let subject = Subject(of: Int.self)
        let heard = Collected<String>()
        _ = subject.rateLimit(2, per: .seconds(1), limit: 0, overflow: .dropNewest, on: time)
            .subscribe(next: { heard.add("\($0)") }, lost: { heard.add("lost \($0)") })
        for value in 1...5 { subject.send(value) }
        time.advance(by: .seconds(1))
        subject.send(6)
        time.advance()
        #expect(heard.all == ["1", "2", "lost 3", "6"])
        #expect(time.pendingCount == 0)
    }

    @Test("nothing waits without a period; in the longest, everything after the burst waits")
    func extremes() {
        for duration in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            #expect(violations("self -1(23)-|\nlimited -1(23)-|") { $0.rateLimit(1, per: duration, on: $1) } == [])
        }
        #expect(
            violations("self -1(23)-4-|\nlimited -1-----") { $0.rateLimit(1, per: TimerInstantTests.longest, on: $1) }
                == []
        )
        for count in [1, 0, -3, Int.min] {
            #expect(
                violations("self -123|\nlimited -1----2----(3|)") { $0.rateLimit(count, per: .columns(5), on: $1) }
                    == []
            )
        }
    }
}
