import Bus
import Glibc
import Loop
import TestSupport
import Testing
import Timers

@Suite("A thread that waits for its own timers")
struct WaitingThreadTests {
    @Test("timers and other work run on the one thread; timers not before their deadline")
    func runs() throws {
        let thread = ThreadScheduler(name: "test-own")
        let timers = try TimerScheduler(on: thread)
        let early = Collected<Bool>()
        let threads = Collected<UInt>()
        let wasCurrent = Collected<Bool>()
        let done = Latch()
        let worked = Latch()
        thread.schedule {
            threads.add(pthreadSelf())
            worked.open()
        }
        for milliseconds in 1...20 {
            let deadline = timers.now.advanced(by: .milliseconds(milliseconds))
            _ = timers.schedule(at: deadline) {
                early.add(timers.now < deadline)
                wasCurrent.add(thread.isCurrent && timers.isCurrent)
                threads.add(pthreadSelf())
                if milliseconds == 20 { done.open() }
            }
        }
        done.wait()
        // On a busy machine all timers are due before the thread reaches its first work, and run first.
        worked.wait()
        #expect(early.all == [Bool](repeating: false, count: 20))
        #expect(wasCurrent.all == [Bool](repeating: true, count: 20))
        #expect(Set(threads.all).count == 1)
        #expect(threads.all.count == 21)
        #expect(!thread.isCurrent)
        #expect(timers.count == 0)
    }

    @Test("work runs in the order of submission, even if submitted by work")
    func order() throws {
        let thread = ThreadScheduler(name: "test-own")
        let order = Collected<Int>()
        let done = Latch()
        for number in 0..<1000 {
            thread.schedule {
                order.add(number)
                thread.schedule {
                    order.add(1000 + number)
                    if number == 999 { done.open() }
                }
            }
        }
        done.wait()
        let all = order.all
        #expect(all.filter { $0 < 1000 } == Array(0..<1000))
        #expect(all.filter { $0 >= 1000 } == Array(1000..<2000))
    }

    @Test("a timer that is due at once does not run inside the work that schedules it")
    func isNotReentrant() throws {
        let timers = try TimerScheduler(on: ThreadScheduler(name: "test-own"))
        let order = Collected<String>()
        let done = Latch()
        timers.schedule {
            _ = timers.schedule(at: .distantPast) {
                order.add("timer")
                _ = timers.schedule(at: .distantPast) {
                    order.add("timer's timer")
                    done.open()
                }
                order.add("timer's end")
            }
            order.add("work's end")
        }
        done.wait()
        #expect(order.all == ["work's end", "timer", "timer's end", "timer's timer"])
    }

    @Test("a timer does not run inside it either if it became due because the clock was just set")
    func isNotReentrantWhenSet() throws {
        let thread = ThreadScheduler(name: "test-own")
        let device = SimulatedTimer(startingAt: 1_000_000_000)
        let wall = try WallScheduler(on: thread, device: device, clock: nil, loop: EventLoop(on: thread))
        let order = Collected<String>()
        let (done, told) = (Latch(), Latch())
        let steps = wall.steps.subscribe(next: { _ in told.open() })
        defer { steps.dispose() }
        wall.schedule {
            device.set(by: 5_000_000_000)
            _ = wall.schedule(at: TimerInstant(nanoseconds: 2_000_000_000)) {
                order.add("timer")
                done.open()
            }
            order.add("work's end")
        }
        done.wait()
        told.wait()
        #expect(order.all == ["work's end", "timer"])
    }

    @Test("neither timers that are always due nor work that is always queued starves the other")
    func isFair() throws {
        let thread = ThreadScheduler(name: "test-own")
        let timers = try TimerScheduler(on: thread)
        let stop = Lock((timers: false, work: false))
        @Sendable func timerAgain() {
            if !stop.withLock({ $0.timers }) { _ = timers.schedule(at: .distantPast) { timerAgain() } }
        }
        @Sendable func workAgain() {
            if !stop.withLock({ $0.work }) { thread.schedule { workAgain() } }
        }
        timerAgain()
        let work = Latch()
        thread.schedule { work.open() }
        work.wait()
        stop.withLock { $0.timers = true }

        workAgain()
        let timer = Latch()
        _ = timers.schedule(after: .milliseconds(1)) { timer.open() }
        timer.wait()
        stop.withLock { $0.work = true }
    }

    @Test("the thread ends with its users, after its pending work; even if that work releases it last")
    func ends() throws {
        let ran = Collected<String>()
        let (began, goOn) = (Latch(), Latch())
        func use() throws {
            let thread = ThreadScheduler(name: "test-ends")
            let timers = try TimerScheduler(on: thread)
            _ = timers.schedule(after: .seconds(3600)) { ran.add("an hour early") }
            thread.schedule {
                began.open()
                goOn.wait()
            }
            thread.schedule { withExtendedLifetime(timers) { ran.add("work") } }
        }
        try use()
        began.wait()
        #expect(try NamedThreads.count("test-ends") == 1)
        goOn.open()
        try NamedThreads.waitForEnd(of: "test-ends")
        #expect(ran.all == ["work"])
    }

    @Test("two clocks and other threads: what they schedule on one thread runs once, one at a time")
    func isSerial() throws {
        let thread = ThreadScheduler(name: "test-own")
        let schedulers = [
            try TimerScheduler(on: thread), try TimerScheduler(on: thread, clock: .boot),
            try TimerScheduler(on: thread, clock: .wall),
        ]
        let inside = Lock((now: 0, most: 0, ran: 0))
        let (done, started) = (Latch(), [Latch(), Latch()])
        @Sendable func work() {
            let number = inside.withLock { inside -> Int in
                inside.now += 1
                inside.most = max(inside.most, inside.now)
                return inside.ran
            }
            // Another one running in parallel would come now.
            if number.isMultiple(of: 100) { sched_yield() }
            let ran = inside.withLock { inside -> Int in
                inside.now -= 1
                inside.ran += 1
                return inside.ran
            }
            if ran == 12_000 { done.open() }
        }
        for half in 0..<2 {
            try PinnedThread.start(name: "test") {
                for number in 0..<1500 {
                    for scheduler in schedulers {
                        _ = scheduler.schedule(after: .microseconds(number % 100)) { work() }
                    }
                    thread.schedule { work() }
                }
                started[half].open()
            }
        }
        for latch in started { latch.wait() }
        done.wait()
        // Anything that ran a second time would have come by then.
        let settled = Latch()
        _ = schedulers[0].schedule(after: .microseconds(200)) { settled.open() }
        settled.wait()
        #expect(inside.withLock { $0.most } == 1)
        #expect(inside.withLock { $0.ran } == 12_000)
        #expect(schedulers.allSatisfy { $0.count == 0 })
    }
}
