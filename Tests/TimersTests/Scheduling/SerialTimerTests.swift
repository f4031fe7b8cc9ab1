import Bus
import BusTesting
import Synchronization
import Testing
import Timers

/// Like a machine on which a thread is preempted right after it schedules a timer: due work has run before the handle
/// exists.
private struct HastyScheduler: TimedScheduler {
    let time: TestScheduler

    var now: TimerInstant { time.now }
    var isCurrent: Bool { time.isCurrent }

    func schedule(_ work: @escaping @Sendable () -> Void) { time.schedule(work) }

    func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        let handle = time.schedule(at: deadline, work)
        if deadline <= now, !isCurrent { time.advance() }
        return handle
    }
}

@Suite("A subscription's only timer")
struct SerialTimerTests {
    @Test("The next timer is not cancelled if the previous one ran and set it before its own handle existed")
    func settingInsideTheWork() {
        let time = TestScheduler()
        let scheduler = HastyScheduler(time: time)
        let ran = Atomic<Int>(0)
        let timer = SerialTimer()
        timer.schedule(at: .distantPast, on: scheduler) {
            ran.add(1, ordering: .relaxed)
            timer.schedule(at: scheduler.now.advanced(by: .seconds(1)), on: scheduler) {
                ran.add(1, ordering: .relaxed)
            }
        }
        #expect(ran.load(ordering: .relaxed) == 1)
        time.advance(by: .seconds(1))
        #expect(ran.load(ordering: .relaxed) == 2)
        #expect(time.pendingCount == 0)
    }

    @Test("An interval that begins at once continues even if its first tick came before its start returned")
    func interval() {
        let time = TestScheduler()
        let ticks = Atomic<Int>(0)
        let subscription = Signals.interval(every: .seconds(1), first: .immediately, on: HastyScheduler(time: time))
            .subscribe(next: { _ in ticks.add(1, ordering: .relaxed) })
        time.advance(by: .seconds(3))
        #expect(ticks.load(ordering: .relaxed) == 4)
        subscription.dispose()
        #expect(time.pendingCount == 0)
    }
}
