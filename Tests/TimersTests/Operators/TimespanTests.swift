import Bus
import BusTesting
import Testing
import Timers

@Suite("take(for:), skip(for:), delaySubscription, timer")
struct TimespanTests {
    @Test("take(for:) ends when its time is over, and a value at that instant is too late")
    func takes() {
        #expect(violations("self --1--2-----3--\ntake --1--2-|") { $0.take(for: .columns(7), on: $1) } == [])
        #expect(violations("self --1--2-|\ntake --1--2-|") { $0.take(for: .columns(9), on: $1) } == [])
        #expect(violations("self --1--2-x\ntake --1--2-x") { $0.take(for: .columns(9), on: $1) } == [])
        #expect(violations("self --1----3--\ntake --1----|") { $0.take(for: .columns(7), on: $1) } == [])
    }

    @Test("take(for:) passes nothing that arrived too late, however late the scheduler is")
    func takesNothingLate() {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = time.record(source.take(for: .columns(7), on: time))
        time.jump(by: .columns(8))
        source.send(1)
        #expect(recorder.events == [.completed])
        #expect(source.liveSubscriptions == 0)
        #expect(time.pendingCount == 0)
    }

    @Test("take(for:) with no time never subscribes; with the longest it takes everything")
    func takesExtremes() {
        for duration in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            let time = TestScheduler()
            let source = ProbeSource(of: Int.self, failure: TestFailure.self)
            let recorder = time.record(source.take(for: duration, on: time))
            #expect(recorder.events == [.completed])
            #expect(source.subscriptions == 0)
        }
        #expect(violations("self -1-2|\ntake -1-2|") { $0.take(for: TimerInstantTests.longest, on: $1) } == [])
    }

    @Test("a dropped source does not affect the end of take(for:)")
    func takesFromNobody() {
        let time = TestScheduler()
        let events = Collected<String>()
        do {
            let source = ProbeSource(of: Int.self, failure: TestFailure.self)
            _ = source.take(for: .seconds(1), on: time).subscribe(
                next: { _ in },
                failed: { _ in },
                completed: { events.add("|") }
            )
        }
        time.advance(by: .seconds(1))
        #expect(events.all == ["|"])
        #expect(time.pendingCount == 0)
    }

    @Test("skip(for:) passes values that arrive when its time is over, or later, and needs no timer")
    func skips() {
        #expect(
            violations("self --1--2-----3--4--|\nskip -----------3--4--|") { $0.skip(for: .columns(7), on: $1) } == []
        )
        #expect(violations("self --1----2-|\nskip -------2-|") { $0.skip(for: .columns(7), on: $1) } == [])
        #expect(violations("self --1-x\nskip ----x") { $0.skip(for: .columns(7), on: $1) } == [])
        for duration in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            #expect(violations("self 1-2|\nskip 1-2|") { $0.skip(for: duration, on: $1) } == [])
        }
        #expect(violations("self -1-2|\nskip ----|") { $0.skip(for: TimerInstantTests.longest, on: $1) } == [])
        let time = TestScheduler()
        let subscription = Signals.never(Int.self).skip(for: .seconds(1), on: time).subscribe()
        #expect(time.pendingCount == 0)
        subscription.dispose()
    }

    @Test("delaySubscription misses what a hot source sends before, and hears all of a cold one")
    func delaysSubscription() {
        #expect(
            Diagram(
                """
                self       1--2--3|
                self   ----^------!
                late   ----1--2--3|
                """
            ).violations { $0.cold("self").delaySubscription(.columns(4), on: $0.time) } == []
        )
        #expect(
            violations("self -1-2-3--4|\nlate -----3--4|") { $0.delaySubscription(.columns(4), on: $1) } == []
        )
        #expect(
            violations("self -1-2-3--4|\nlate ------") { $0.delaySubscription(TimerInstantTests.longest, on: $1) } == []
        )
    }

    @Test(
        "delaySubscription subscribes on the scheduler, even without a delay",
        arguments: [Duration.zero, .seconds(-1)]
    )
    func delaysSubscriptionByNothing(duration: Duration) {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let subscription = source.delaySubscription(duration, on: time).subscribe(next: { _ in }, failed: { _ in })
        #expect(source.subscriptions == 0)
        time.advance()
        #expect(source.liveSubscriptions == 1)
        subscription.dispose()
        #expect(source.liveSubscriptions == 0)
    }

    @Test("disposed of before its time, delaySubscription never subscribes and frees its observer")
    func delaysSubscriptionDisposed() {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let subscription = source.delaySubscription(.seconds(1), on: time).subscribe(next: { _ in }, failed: { _ in })
        #expect(time.pendingCount == 1)
        subscription.dispose()
        #expect(time.pendingCount == 0)
        time.advance(by: .seconds(5))
        #expect(source.subscriptions == 0)
    }

    @Test("disposing inside a synchronous source's callback ends it there")
    func delaysSubscriptionStops() {
        let time = TestScheduler()
        let values = Collected<Int>()
        let subscription = SerialDisposable()
        subscription.set(
            Signals.from(0..<10).delaySubscription(.seconds(1), on: time).subscribe { value in
                values.add(value)
                if value == 3 { subscription.dispose() }
            }
        )
        time.advance(by: .seconds(1))
        #expect(values.all == [0, 1, 2, 3])
    }

    @Test("a timer ticks once and completes; its tick says when it was due and when it came")
    func timer() {
        let time = TestScheduler()
        let recorder = time.record(Signals.timer(after: .milliseconds(10), on: time))
        time.jump(by: .milliseconds(12))
        time.advance()
        let due = TimerInstant(nanoseconds: 10_000_000)
        #expect(
            recorder.events.map(\.description) == [
                "next(\(Tick(index: 0, scheduled: due, actual: due.advanced(by: .milliseconds(2)), missed: 0)))",
                "completed",
            ]
        )
        #expect(time.pendingCount == 0)
    }

    @Test("a timer for an instant, even a past one; disposed of, it is gone")
    func timerAt() {
        let time = TestScheduler()
        time.advance(by: .seconds(10))
        let instants = [-1, 0, 9, 10, 11].map { TimerInstant(nanoseconds: $0 * 1_000_000_000) }
        let recorders = instants.map { time.record(Signals.timer(at: $0, on: time).map { $0.scheduled }) }
        time.advance()
        #expect(recorders.map(\.hasEnded) == [true, true, true, true, false])
        time.advance(by: .seconds(1))
        #expect(recorders.map { $0.values } == instants.map { [$0] })

        let subscription = Signals.timer(after: .seconds(1), on: time).subscribe()
        #expect(time.pendingCount == 1)
        subscription.dispose()
        #expect(time.pendingCount == 0)
        let last = Signals.timer(after: TimerInstantTests.longest, on: time).subscribe { _ in Issue.record("came") }
        time.run()
        last.dispose()
    }

    @Test("measureInterval and timestamp read the scheduler's clock")
    func measures() {
        #expect(
            violations("self --1---2-----3|\nmeasured --2---4-----6|") {
                $0.measureInterval(on: $1).map { Int($0 / .columns(1)) }
            } == []
        )
        #expect(
            violations("self --1---2-|\nstamped --2---6-|") {
                $0.timestamp(on: $1).map { $0.instant.nanoseconds / 1_000_000 }
            } == []
        )
    }
}
