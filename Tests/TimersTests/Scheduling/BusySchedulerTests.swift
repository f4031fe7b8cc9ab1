import Bus
import TestSupport
import Testing
import Timers

@Suite("Timers of a busy scheduler")
struct BusySchedulerTests {
    @Test("thousands of timers due at once are one piece of work in the scheduler's queue at a time")
    func oneHop() throws {
        let most = Stress.rounds(10_000, stress: 100_000)
        let scheduler = CountingScheduler()
        let timers = try TimerScheduler(on: scheduler)
        let blocked = Latch()
        let done = Latch()
        scheduler.schedule { blocked.wait() }
        let order = Lock<[Int]>([])
        let base = timers.now
        for number in 0..<most {
            _ = timers.schedule(at: base.advanced(by: .nanoseconds(number / 10))) {
                let count = order.withLock { order -> Int in
                    order.append(number)
                    return order.count
                }
                if count == most { done.open() }
            }
        }
        #expect(timers.count == most, "what is due waits in the wheel, where it can be cancelled")
        blocked.open()
        done.wait()
        #expect(order.withLock { $0 == Array(0..<most) })
        // The one that blocked, and that of the timers.
        #expect(scheduler.most <= 2)
    }

    @Test(
        "durations of zero, below zero, and the longest do not trap",
        arguments: [
            Duration.zero, .nanoseconds(-1), .seconds(-1), Duration(secondsComponent: .min, attosecondsComponent: 0),
            .nanoseconds(1), Duration(secondsComponent: 0, attosecondsComponent: 1),
            Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
        ]
    )
    func anyDuration(duration: Duration) throws {
        let timers = try TimerScheduler(on: ThreadScheduler(name: "test-any"))
        let ran = Latch()
        let timer = timers.schedule(after: duration) { ran.open() }
        if duration < .seconds(1) {
            ran.wait()
        } else {
            #expect(timer.reschedule(to: timers.now.advanced(by: duration)))
            timer.cancel()
        }
        #expect(timers.count == 0)
    }
}

/// A thread that counts its queued work.
private final class CountingScheduler: Scheduler {
    private let thread = ThreadScheduler(name: "test-counting")
    private let counts = Lock((waiting: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }
    var isCurrent: Bool { thread.isCurrent }

    func schedule(_ work: @escaping @Sendable () -> Void) {
        counts.withLock { counts in
            counts.waiting += 1
            counts.most = max(counts.most, counts.waiting)
        }
        thread.schedule { [counts] in
            work()
            counts.withLock { $0.waiting -= 1 }
        }
    }
}
