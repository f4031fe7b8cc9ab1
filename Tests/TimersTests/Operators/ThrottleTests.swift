import Bus
import BusTesting
import Testing
import Timers

@Suite("throttle")
struct ThrottleTests {
    @Test("both edges, the latest: the documented diagram")
    func both() {
        #expect(
            violations(
                """
                self      -12-3--------4-----5-6|
                throttle  -1---3-------4-----5---(6|)
                """
            ) { $0.throttle(.columns(4), on: $1) } == []
        )
    }

    @Test("the leading edge only")
    func leading() {
        #expect(
            violations(
                """
                self      -12-3--------4-----5-6|
                throttle  -1-----------4-----5--|
                """
            ) { $0.throttle(.columns(4), edges: .leading, on: $1) } == []
        )
    }

    @Test("the trailing edge only")
    func trailing() {
        #expect(
            violations(
                """
                self      -12-3--------4-----5-6|
                throttle  -----3-----------4---5---(6|)
                """
            ) { $0.throttle(.columns(4), edges: .trailing, on: $1) } == []
        )
    }

    @Test("the first of the values in a window")
    func first() {
        #expect(
            violations(
                """
                self      -12-3--------4-----5-6|
                throttle  -1---2-------4-----5---(6|)
                """
            ) { $0.throttle(.columns(4), choosing: .first, on: $1) } == []
        )
        #expect(
            violations(
                """
                self      -12-3----|
                throttle  -----1---|
                """
            ) { $0.throttle(.columns(4), edges: .trailing, choosing: .first, on: $1) } == []
        )
    }

    @Test("a busy source gets one value in each window")
    func busy() {
        #expect(
            violations(
                """
                self      -123456789----|
                throttle  -1---4---8---9|
                """
            ) { $0.throttle(.columns(4), on: $1) } == []
        )
    }

    @Test("a value exactly at a window's end: the one before it is sent, and it opens no window")
    func exactlyAtTheEnd() {
        #expect(
            violations(
                """
                self      -1-2-3-------|
                throttle  -1---2---3---|
                """
            ) { $0.throttle(.columns(4), on: $1) } == []
        )
        #expect(
            violations(
                """
                self      -1---2---3|
                throttle  -1---2---3|
                """
            ) { $0.throttle(.columns(4), on: $1) } == []
        )
    }

    @Test("completion waits for the trailing value, flushes it, or drops it")
    func atCompletion() {
        #expect(
            violations("self -12|\nthrottle -1---(2|)") { $0.throttle(.columns(4), on: $1) } == []
        )
        #expect(
            violations("self -12|\nthrottle -1-(2|)") {
                $0.throttle(.columns(4), atCompletion: .flush, on: $1)
            } == []
        )
        #expect(
            violations("self -12|\nthrottle -1-|") { $0.throttle(.columns(4), atCompletion: .drop, on: $1) } == []
        )
        #expect(violations("self -1-|\nthrottle -1-|") { $0.throttle(.columns(4), on: $1) } == [])
    }

    @Test("a failure is heard at once")
    func fails() {
        #expect(violations("self -12x\nthrottle -1-x") { $0.throttle(.columns(4), on: $1) } == [])
    }

    @Test("an observer that has enough after a trailing value ends it there")
    func stops() {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = time.record(source.throttle(.columns(4), on: time).take(first: 2))
        source.send(1)
        source.send(2)
        time.advance(by: .columns(4))
        #expect(recorder.hasEnded)
        #expect(source.liveSubscriptions == 0)
        #expect(time.pendingCount == 0)
    }

    @Test("durations of zero and less let everything pass; in the longest the window never ends")
    func extremes() {
        for duration in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            #expect(violations("self -1(23)-4|\nthrottle -1(23)-4|") { $0.throttle(duration, on: $1) } == [])
        }
        #expect(
            violations("self -123-4|\nthrottle -1----") { $0.throttle(TimerInstantTests.longest, on: $1) } == [],
            "the completion waits for a value whose time never comes"
        )
        #expect(
            violations("self -123-4|\nthrottle -1----(4|)") {
                $0.throttle(TimerInstantTests.longest, atCompletion: .flush, on: $1)
            } == []
        )
    }

    @Test("no timer runs when the source is silent")
    func sleeps() {
        let time = TestScheduler()
        let subject = Subject(of: Int.self)
        let recorder = time.record(subject.throttle(.seconds(1), on: time))
        subject.send(1)
        #expect(time.pendingCount == 0, "nothing is held, so there is nothing to wake for")
        subject.send(2)
        #expect(time.pendingCount == 1)
        time.advance(by: .seconds(1))
        #expect(time.pendingCount == 0)
        #expect(recorder.values == [1, 2])
    }
}
