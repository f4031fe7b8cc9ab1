import Bus
import BusTesting
import Testing
import Timers

@Suite("debounce")
struct DebounceTests {
    @Test("the last value of a burst passes after the silence, and a held value is flushed at completion")
    func trailing() {
        #expect(
            violations(
                """
                self      --1-2-3---------4--5-|
                debounce  ----------3----------(5|)
                """
            ) { $0.debounce(.columns(4), on: $1) } == []
        )
    }

    @Test("the leading edge passes the first value of a burst at once, and holds nothing")
    func leading() {
        #expect(
            violations(
                """
                self      --1-2-3---------4--5-|
                debounce  --1-------------4----|
                """
            ) { $0.debounce(.columns(4), edge: .leading, on: $1) } == []
        )
    }

    @Test("maxWait lets a value of an endless burst pass; the next value begins another burst")
    func maxWait() {
        #expect(
            violations(
                """
                self      --1-2-3-4-5-6-7-----|
                debounce  --------3-----6---7-|
                """
            ) { $0.debounce(.columns(4), maxWait: .columns(6), on: $1) } == []
        )
        #expect(
            violations(
                """
                self      --1-2-3-4-5-6-7-----|
                debounce  --1-----4-----7-----|
                """
            ) { $0.debounce(.columns(4), edge: .leading, maxWait: .columns(6), on: $1) } == []
        )
    }

    @Test("a value exactly at the end of the silence does not replace the one before it")
    func exactlyOnTime() {
        #expect(
            violations(
                """
                self      --1---2---3-----|
                debounce  ------1---2---3-|
                """
            ) { $0.debounce(.columns(4), on: $1) } == []
        )
    }

    @Test("at completion a held value is dropped, or waits for its time, if told to")
    func atCompletion() {
        #expect(
            violations(
                """
                self      --1-2|
                debounce  -----|
                """
            ) { $0.debounce(.columns(4), atCompletion: .drop, on: $1) } == []
        )
        #expect(
            violations(
                """
                self      --1-2|
                debounce  --------(2|)
                """
            ) { $0.debounce(.columns(4), atCompletion: .wait, on: $1) } == []
        )
        #expect(
            violations(
                """
                self      --1-------|
                debounce  ------1---|
                """
            ) { $0.debounce(.columns(4), atCompletion: .wait, on: $1) } == [],
            "nothing is held, nothing is waited for"
        )
    }

    @Test("a failure is heard at once, and a held value is dropped", arguments: [AtCompletion.flush, .wait, .drop])
    func fails(atCompletion: AtCompletion) {
        #expect(
            violations(
                """
                self      --1-----2-x
                debounce  ------1---x
                """
            ) { $0.debounce(.columns(4), atCompletion: atCompletion, on: $1) } == []
        )
    }

    @Test("no values, no timers")
    func empty() {
        #expect(violations("self -----|\ndebounce -----|") { $0.debounce(.columns(2), on: $1) } == [])
        #expect(violations("self x\ndebounce x") { $0.debounce(.columns(2), on: $1) } == [])
    }

    @Test("disposed of, it sends nothing more")
    func disposed() {
        #expect(
            violations(
                """
                self      --1-----2---3--
                debounce  ------1----!
                """
            ) { $0.debounce(.columns(4), on: $1) } == []
        )
    }

    @Test("a late scheduler does not lose a value that is due: it comes before the next value")
    func lateScheduler() {
        let time = TestScheduler()
        let subject = Subject(of: Int.self)
        let recorder = time.record(subject.debounce(.milliseconds(5), on: time))
        subject.send(1)
        time.jump(by: .milliseconds(20))
        subject.send(2)
        #expect(recorder.values == [1])
        time.jump(by: .milliseconds(20))
        subject.complete()
        #expect(recorder.events.map(\.description) == ["next(1)", "next(2)", "completed"])
        #expect(time.pendingCount == 0)
    }

    @Test("values that arrive while the observer is busy are judged by their arrival time")
    func busyObserver() {
        let time = TestScheduler()
        let subject = Subject(of: Int.self)
        let budget = Collected<Int>()
        let recorder = Recorder(
            subject.debounce(.milliseconds(5), on: time),
            on: time,
            onNext: { value in
                if value == 1 {
                    // Sent inside the callback, 3 ms apart, then 6. Only the second is followed by silence.
                    for number in [2, 3] {
                        subject.send(number)
                        time.jump(by: .milliseconds(number == 2 ? 3 : 6))
                    }
                    subject.send(4)
                    budget.add(value)
                }
                return .more
            }
        )
        subject.send(1)
        time.advance(by: .milliseconds(30))
        #expect(budget.all == [1])
        #expect(recorder.values == [1, 3, 4])
        recorder.dispose()
    }

    @Test("a thousand values touch one timer")
    func oneTimer() {
        let time = TestScheduler()
        let subject = Subject(of: Int.self)
        let recorder = time.record(subject.debounce(.seconds(5), on: time))
        for value in 0..<1000 {
            time.advance(by: .milliseconds(1))
            subject.send(value)
            #expect(time.pendingCount == 1)
        }
        time.run()
        #expect(recorder.timeline == [Recorded(TimerInstant(nanoseconds: 6_000_000_000), .next(999))])
        #expect(time.pendingCount == 0)
    }

    @Test("durations of zero and less let every value pass; the longest lets only the completion pass")
    func extremes() {
        for duration in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            #expect(
                violations(
                    """
                    self      --1-2-3|
                    debounce  --1-2-3|
                    """
                ) { $0.debounce(duration, on: $1) } == []
            )
        }
        #expect(
            violations(
                """
                self      --1-2-3|
                debounce  -------(3|)
                """
            ) { $0.debounce(TimerInstantTests.longest, maxWait: TimerInstantTests.longest, on: $1) } == []
        )
    }

    @Test("a dropped source's last value still arrives, and then the chain is freed")
    func droppedSource() {
        final class Held: Sendable {}
        weak var held: Held?
        let time = TestScheduler()
        let values = Collected<Int>()
        func start() {
            let strong = Held()
            held = strong
            let subject = Subject(of: Int.self)
            _ = subject.debounce(.seconds(1), on: time).subscribe(next: {
                values.add($0)
                _ = strong
            })
            subject.send(1)
        }
        start()
        #expect(held != nil)
        time.advance(by: .seconds(1))
        #expect(values.all == [1])
        #expect(held == nil)
        #expect(time.pendingCount == 0)
    }
}
