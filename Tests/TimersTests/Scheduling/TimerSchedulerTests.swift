import Bus
import Glibc
import Loop
import TestSupport
import Testing
import Timers

@Suite("Timers on the real clock")
struct TimerSchedulerTests {
    let thread = ThreadScheduler(name: "test-timers")

    @Test("a timer runs on its scheduler and not before its deadline")
    func runs() throws {
        let timers = try TimerScheduler(on: thread)
        let lateness = Collected<Duration>()
        let wasCurrent = Collected<Bool>()
        let done = Latch()
        for milliseconds in 1...20 {
            let deadline = timers.now.advanced(by: .milliseconds(milliseconds))
            _ = timers.schedule(at: deadline) {
                lateness.add(deadline.duration(to: timers.now))
                wasCurrent.add(timers.isCurrent)
                if lateness.all.count == 20 { done.open() }
            }
        }
        done.wait()
        #expect(lateness.all.allSatisfy { $0 >= .zero })
        #expect(wasCurrent.all.allSatisfy { $0 })
        #expect(!timers.isCurrent)
        #expect(timers.count == 0)
    }

    @Test("due work runs by deadline, then in the order of scheduling, whatever order it was scheduled in")
    func order() throws {
        let timers = try TimerScheduler(on: thread)
        let order = Collected<Int>()
        let done = Latch()
        let blocked = blockThread()
        let base = timers.now
        for (number, offset) in [(3, 30), (1, 10), (4, 30), (2, 20), (0, -1_000_000_000_000)] {
            _ = timers.schedule(at: base.advanced(by: .microseconds(offset))) { order.add(number) }
        }
        _ = timers.schedule(at: base.advanced(by: .microseconds(31))) { done.open() }
        blocked.open()
        done.wait()
        #expect(order.all == [0, 1, 2, 3, 4])
    }

    @Test("a timer that is due but waits for its scheduler can be cancelled or postponed")
    func cancelsWhatIsDue() throws {
        let timers = try TimerScheduler(on: thread)
        let ran = Collected<String>()
        let done = Latch()
        let handles = Lock<[TimerHandle]>([])
        let blocked = blockThread()
        let base = timers.now
        // The first timer that runs cancels and reschedules the others, which are due as well.
        _ = timers.schedule(at: base) {
            let others = handles.withLock { $0 }
            others[0].cancel()
            others[1].reschedule(to: base.advanced(by: .milliseconds(5)))
        }
        handles.withLock {
            $0.append(timers.schedule(at: base.advanced(by: .nanoseconds(1))) { ran.add("cancelled") })
            $0.append(
                timers.schedule(at: base.advanced(by: .nanoseconds(2))) {
                    ran.add("put off")
                    done.open()
                }
            )
            $0.append(timers.schedule(at: base.advanced(by: .nanoseconds(3))) { ran.add("third") })
        }
        blocked.open()
        done.wait()
        #expect(ran.all == ["third", "put off"])
    }

    @Test("cancelling releases the work before it returns, outside the lock")
    func releases() throws {
        final class Held: Sendable {
            let onRelease: @Sendable () -> Void
            init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
            deinit { onRelease() }
        }
        let timers = try TimerScheduler(on: thread)
        let released = Collected<Bool>()
        func start() -> TimerHandle {
            // A deinitialiser that uses the timers would deadlock if the lock were held.
            let held = Held {
                _ = timers.schedule(at: .distantFuture) {}
                released.add(true)
            }
            return timers.schedule(at: .distantFuture) { _ = held }
        }
        let handle = start()
        #expect(released.all.isEmpty)
        handle.cancel()
        #expect(released.all == [true])
        #expect(!handle.reschedule(to: .distantPast))
        handle.cancel()
        #expect(released.all == [true])
    }

    @Test("an earlier timer comes before the one that is waited for, even by rescheduling")
    func rearms() throws {
        let timers = try TimerScheduler(on: thread)
        let hour = timers.schedule(after: .seconds(3600)) {}
        let (first, second) = (Latch(), Latch())
        _ = timers.schedule(after: .milliseconds(2)) { first.open() }
        first.wait()
        let other = timers.schedule(after: .seconds(1800)) { second.open() }
        #expect(other.reschedule(to: timers.now.advanced(by: .milliseconds(1))))
        second.wait()
        hour.cancel()
        #expect(timers.count == 0)
    }

    @Test("work that schedules due work does not starve the scheduler")
    func isFair() throws {
        let timers = try TimerScheduler(on: thread)
        let turn = Latch()
        let stop = Lock(false)
        @Sendable func again() {
            if !stop.withLock({ $0 }) { _ = timers.schedule(at: .distantPast) { again() } }
        }
        again()
        timers.schedule { turn.open() }
        turn.wait()
        stop.withLock { $0 = true }
    }

    @Test("releasing the scheduler releases scheduled work and its descriptor")
    func releasesAll() throws {
        final class Held: Sendable {}
        weak var held: Held?
        let loop = EventLoop(name: "test-loop")
        func start() throws {
            let strong = Held()
            held = strong
            let timers = try TimerScheduler(on: thread, clock: .boot, loop: loop)
            _ = timers.schedule(after: .seconds(3600)) { _ = strong }
            #expect(held != nil)
        }
        try start()
        #expect(held == nil)

        let device = SimulatedTimer(startingAt: 0)
        do {
            let wall = try WallScheduler(on: thread, device: device, clock: nil, loop: loop)
            _ = wall.schedule(after: .seconds(3600)) {}
        }
        device.closed.wait()
    }

    @Test("a timer that drops the last reference is the last that runs, however many are due")
    func dropped() throws {
        let (last, ran, done) = (Lock<TimerScheduler?>(nil), Collected<Int>(), Latch())
        let blocked = blockThread()
        func start() throws {
            let timers = try TimerScheduler(on: thread)
            let base = timers.now
            _ = timers.schedule(at: base) { [thread] in
                ran.add(0)
                _ = last.withLock { $0.take() }
                // Behind the timers that are due.
                thread.schedule { done.open() }
            }
            for number in 1..<100 { _ = timers.schedule(at: base) { ran.add(number) } }
            last.withLock { $0 = timers }
        }
        try start()
        blocked.open()
        done.wait()
        #expect(ran.all == [0])
    }

    /// Keeps the thread busy until the latch is opened. Work due by then has not run.
    private func blockThread() -> Latch {
        let (isBusy, blocked) = (Latch(), Latch())
        thread.schedule {
            isBusy.open()
            blocked.wait()
        }
        isBusy.wait()
        return blocked
    }

    @Test("two threads schedule, cancel and reschedule while timers run: each runs once or not at all")
    func threads() throws {
        let timers = try TimerScheduler(on: thread)
        let ran = Lock([Int](repeating: 0, count: 20_000))
        let cancelled = Lock(0)
        let done = [Latch(), Latch()]
        for half in 0..<2 {
            try PinnedThread.start(name: "test") {
                var random = SeededGenerator(UInt64(half))
                for number in stride(from: half, to: 20_000, by: 2) {
                    // Of the cancelled and advanced timers, half cannot have run before.
                    let isFar = number % 6 < 2
                    let delay = isFar ? .seconds(3600) : Duration.microseconds(Int.random(in: -5..<200, using: &random))
                    let handle = timers.schedule(after: delay) { ran.withLock { $0[number] += 1 } }
                    switch number % 3 {
                    case 0:
                        handle.cancel()
                        cancelled.withLock { $0 += 1 }
                    case 1: handle.reschedule(to: timers.now.advanced(by: .microseconds(50)))
                    default: break
                    }
                }
                done[half].open()
            }
        }
        for latch in done { latch.wait() }
        let last = Latch()
        _ = timers.schedule(after: .milliseconds(1)) { last.open() }
        last.wait()
        let counts = ran.withLock { $0 }
        #expect(counts.indices.allSatisfy { counts[$0] == 1 || $0 % 3 == 0 && counts[$0] == 0 })
        #expect(counts.indices.allSatisfy { $0 % 6 != 0 || counts[$0] == 0 })
        #expect(timers.count == 0)
        #expect(cancelled.withLock { $0 } > 6000)
    }
}
