import Bus
import BusTesting
import Testing
import Timers

@Suite("Conversions between clocks and schedulers")
struct ClockTests {
    @Test(
        "a sleep on each of the machine's clocks ends at its time",
        arguments: [
            SystemClock.monotonic, .boot, .wall,
        ]
    )
    func sleeps(clock: SystemClock) async throws {
        let deadline = clock.now.advanced(by: .milliseconds(3))
        try await clock.sleep(until: deadline)
        #expect(clock.now >= deadline)
        try await clock.sleep(for: .nanoseconds(-5))
        let elapsed = try await clock.measure { try await clock.sleep(for: .microseconds(100)) }
        #expect(elapsed >= .microseconds(100))
    }

    @Test("a cancelled sleep throws at once, even if it was cancelled before")
    func cancels() async throws {
        let timers = try TimerScheduler(on: ThreadScheduler(name: "test-sleep"))
        let task = Task { try await timers.sleep(until: .distantFuture) }
        while timers.count == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            try await timers.sleep(for: .zero)
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(timers.count == 0)
    }

    @Test("virtual time is a clock for code that takes one")
    func virtualClock() async throws {
        let time = TestScheduler()
        let slept = Lock(false)
        let task = Task { [clock = time.clock] in
            try await Self.anybody(sleepsOn: clock)
            slept.withLock { $0 = true }
        }
        while time.pendingCount == 0 { await Task.yield() }
        time.advance(by: .seconds(59))
        #expect(time.pendingCount == 1)
        #expect(!slept.withLock { $0 })
        time.advance(by: .seconds(1))
        try await task.value
        #expect(slept.withLock { $0 })
    }

    private static func anybody(sleepsOn clock: some Clock<Duration>) async throws {
        try await clock.sleep(for: .seconds(60))
    }

    @Test("timers on Swift's clocks run in order and not before their deadline")
    func swiftClocks() async {
        await check(ClockScheduler(ContinuousClock(), on: ThreadScheduler(name: "test-clock")))
        await check(ClockScheduler(SuspendingClock(), on: ThreadScheduler(name: "test-clock")))
    }

    /// Not on a thread that Swift's tasks need, because the clock's sleeper is one.
    private func opened(_ latch: Latch) async {
        await withCheckedContinuation { continuation in
            ThreadScheduler(name: "test-waiting").schedule {
                latch.wait()
                continuation.resume()
            }
        }
    }

    private func check(_ timers: some TimedScheduler) async {
        let (early, order, done) = (Lock(0), Collected<Int>(), Latch())
        // Nothing runs before everything is scheduled and one timer is cancelled, however long that takes.
        let (isBusy, blocked) = (Latch(), Latch())
        timers.schedule {
            isBusy.open()
            blocked.wait()
        }
        await opened(isBusy)
        let base = timers.now
        let doomed = timers.schedule(at: base.advanced(by: .milliseconds(1))) { order.add(-1) }
        for number in [3, 1, 4, 2, 0] {
            let deadline = base.advanced(by: .milliseconds(number * 2))
            _ = timers.schedule(at: deadline) {
                if timers.now < deadline { early.withLock { $0 += 1 } }
                order.add(number)
                if number == 4 { done.open() }
            }
        }
        doomed.cancel()
        blocked.open()
        await opened(done)
        #expect(order.all == [0, 1, 2, 3, 4])
        #expect(early.withLock { $0 } == 0)
    }

    @Test("timers on a custom clock follow it; durations of every size do not trap")
    func ownClock() async {
        let clock = HandClock()
        let timers = ClockScheduler(clock, on: ThreadScheduler(name: "test-own"))
        let (first, second) = (Latch(), Latch())
        let never = timers.schedule(after: .seconds(Int64.max)) {}
        _ = timers.schedule(after: .seconds(-Int64.max)) { first.open() }
        _ = timers.schedule(after: .seconds(3600)) { second.open() }
        await opened(first)
        while clock.sleepers == 0 { await Task.yield() }
        clock.advance(by: .seconds(3600))
        await opened(second)
        #expect(timers.now == TimerInstant(nanoseconds: 3_600_000_000_000))
        never.cancel()
    }

    @Test("dropping it releases scheduled work, even if the clock's sleeper still sleeps")
    func releases() {
        final class Held: Sendable {}
        weak var held: Held?
        func start() -> TimerHandle {
            let strong = Held()
            held = strong
            let timers = ClockScheduler(HandClock(), on: ThreadScheduler(name: "test-own"))
            return timers.schedule(after: .seconds(1)) { _ = strong }
        }
        let handle = start()
        #expect(held == nil)
        #expect(!handle.reschedule(to: .distantPast))
        handle.cancel()
    }
}

/// A clock whose time changes when it is told to.
private final class HandClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now = Instant(offset: .seconds(5))
        var sleepers: [Int: (Instant, CheckedContinuation<Void, any Error>)] = [:]
        var last = 0
    }

    private let state = Lock(State())
    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }
    var sleepers: Int { state.withLock { $0.sleepers.count } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state -> Int in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isOver = state.withLock { state -> Bool in
                    if deadline <= state.now || Task.isCancelled { return true }
                    state.sleepers[number] = (deadline, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.1.resume(throwing: CancellationError())
        }
    }

    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now.offset += duration
            let now = state.now
            let woken = state.sleepers.filter { $0.value.0 <= now }
            for number in woken.keys { state.sleepers[number] = nil }
            return woken.map(\.value.1)
        }
        for continuation in woken { continuation.resume() }
    }
}
