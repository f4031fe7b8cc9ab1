import Bus
import BusTesting
import Testing
import Timers

@Suite("Virtual time")
struct TestSchedulerTests {
    let time = TestScheduler()
    let log = Collected<String>()

    @Test("runs due work in order, at its time, and nothing by itself")
    func advances() {
        note("b", at: 20)
        note("a", at: 10)
        note("c", at: 20)
        note("d", at: 31)
        #expect(log.all.isEmpty)
        time.advance(by: .nanoseconds(30))
        #expect(log.all == ["a@10", "b@20", "c@20"])
        #expect(time.now.nanoseconds == 30)
        time.run()
        #expect(log.all == ["a@10", "b@20", "c@20", "d@31"])
        #expect(time.now.nanoseconds == 31)
        #expect(time.pendingCount == 0)
    }

    @Test("work without a deadline waits for the next advance, and runs on the scheduler")
    func immediateWork() {
        time.schedule { [log, time] in log.add("\(time.isCurrent)") }
        #expect(log.all.isEmpty)
        #expect(!time.isCurrent)
        time.advance()
        #expect(log.all == ["true"])
        #expect(time.now.nanoseconds == 0)
    }

    @Test("work may schedule, cancel, postpone and advance from inside")
    func reentrancy() {
        let doomed = note("doomed", at: 10)
        let late = note("late", at: 10)
        _ = time.schedule(at: instant(5)) { [self] in
            doomed.cancel()
            late.reschedule(to: instant(40))
            time.schedule { [self] in log.add("at once@\(time.now.nanoseconds)") }
            note("same time", at: 5)
            note("passed", at: 1)
            time.advance(by: .nanoseconds(20))
            log.add("returned@\(time.now.nanoseconds)")
        }
        note("within", at: 25)
        time.advance(by: .nanoseconds(6))
        #expect(log.all == ["returned@5", "passed@5", "at once@5", "same time@5", "within@25"])
        time.run()
        #expect(log.all.last == "late@40")
    }

    @Test("time does not go back, and the end of time never comes")
    func ends() {
        time.advance(to: instant(100))
        time.advance(to: instant(50))
        time.advance(by: .seconds(-1))
        time.jump(by: .seconds(-1))
        #expect(time.now.nanoseconds == 100)
        let never = time.schedule(at: .distantFuture) { [log] in log.add("never") }
        time.run()
        time.advance(to: .distantFuture)
        #expect(log.all.isEmpty)
        never.cancel()
        #expect(time.pendingCount == 0)
    }

    @Test("a jump runs nothing; due work is late")
    func jumps() {
        note("a", at: 10)
        note("b", at: 30)
        time.jump(by: .nanoseconds(25))
        #expect(log.all.isEmpty)
        #expect(time.now.nanoseconds == 25)
        time.advance()
        #expect(log.all == ["a@25"])
    }

    @Test("run(until:) stops before later work")
    func runsUntil() {
        note("a", at: 10)
        note("b", at: 20)
        time.run(until: instant(19))
        #expect(log.all == ["a@10"])
        #expect(time.now.nanoseconds == 10)
    }

    @discardableResult
    private func note(_ name: String, at nanoseconds: Int64) -> TimerHandle {
        // Weakly, because a test may end with timers still pending.
        time.schedule(at: instant(nanoseconds)) { [log, weak time] in
            if let time { log.add("\(name)@\(time.now.nanoseconds)") }
        }
    }

    private func instant(_ nanoseconds: Int64) -> TimerInstant { TimerInstant(nanoseconds: nanoseconds) }
}
