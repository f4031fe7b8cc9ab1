import Bus
import Foundation
import TestSupport
import Testing
import Timers

/// The complete driver, wheels and kernel clock in random use, compared with a sorted list.
///
/// TIMERS_RANDOM_OPERATIONS sets the number of operations on each clock, and TIMERS_RANDOM_SEED the seed.
@Suite("Timers on the kernel's clocks, at random")
struct NeverEarlyTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    @Test(
        "thousands of schedules, cancellations and reschedules: never early, in order, each once or not at all",
        arguments: [SystemClock.monotonic, .boot, .wall],
        [false, true]
    )
    func neverEarly(clock: SystemClock, waitsItself: Bool) throws {
        let thread = ThreadScheduler(name: "test-early")
        if waitsItself {
            try run(on: thread, clock)
        } else {
            try run(on: Another(thread: thread), clock)
        }
    }

    /// A kind of scheduler that cannot wait for its timers itself, like a Dispatch queue.
    private struct Another: Scheduler {
        let thread: ThreadScheduler

        func schedule(_ work: @escaping @Sendable () -> Void) { thread.schedule(work) }
        var isCurrent: Bool { thread.isCurrent }
        var name: String { thread.name }
    }

    private func run(on thread: some Scheduler, _ clock: SystemClock) throws {
        let timers = try TimerScheduler(on: thread, clock: clock)
        let wanted = Self.setting("TIMERS_RANDOM_OPERATIONS")
        let operations = max(Stress.rounds(6_000, stress: 60_000), wanted ?? 0)
        let run = RandomTimers(timers, operations: operations, seed: Self.setting("TIMERS_RANDOM_SEED") ?? 77)
        thread.schedule { run.turn() }
        run.done.wait()
        let result = run.result
        #expect(result.failures == [])
        #expect(result.operations >= operations)
        // Each kind of operation occurred often enough.
        #expect(result.scheduled > operations / 4)
        #expect(result.cancelled > operations / 50)
        #expect(result.rescheduled > operations / 50)
        #expect(result.stale > operations / 50)
        #expect(result.ran > operations / 20)
        #expect(result.ran + result.cancelled == result.scheduled)
        #expect(timers.count == 0)
        if wanted != nil { print("clock \(clock.id): \(result)") }
    }
}

/// Everything happens on the timers' thread, so nothing is in progress during the check.
private final class RandomTimers: Sendable {
    struct Result: Sendable {
        var operations = 0
        var scheduled = 0
        var cancelled = 0
        var rescheduled = 0
        /// Uses of a handle whose timer was gone.
        var stale = 0
        var ran = 0
        /// The first ten faults found.
        var failures: [String] = []
    }

    private struct State: Sendable {
        var random: SeededGenerator
        var result = Result()
        var model = SortedTimers()
        var live: [Int: (handle: TimerHandle, deadline: TimerInstant)] = [:]
        /// The names of live timers whose time had already passed when they were scheduled. Others may have been found
        /// due by then, and run before them even if their time is later.
        var overdue: Set<Int> = []
        /// Some of the latest names and handles. Their timers may be gone.
        var recent: [(name: Int, handle: TimerHandle)] = []

        mutating func fail(_ reason: String) {
            if result.failures.count < 10 { result.failures.append(reason) }
        }

        mutating func note(_ name: Int, _ delay: Int) {
            if delay < 0 { overdue.insert(name) } else { overdue.remove(name) }
        }
    }

    let done = Latch()
    private let timers: TimerScheduler
    private let operations: Int
    private let state: Lock<State>

    init(_ timers: TimerScheduler, operations: Int, seed: Int) {
        self.timers = timers
        self.operations = operations
        state = Lock(State(random: SeededGenerator(UInt64(bitPattern: Int64(seed)))))
    }

    var result: Result { state.withLock { $0.result } }

    /// Does a few hundred operations, then lets due work run.
    func turn() {
        for _ in 0..<250 { operate() }
        let isOver = state.withLock { $0.result.operations >= operations }
        if !isOver { return timers.schedule { self.turn() } }
        finish()
    }

    private func finish() {
        if state.withLock({ $0.live.isEmpty }) { return done.open() }
        _ = timers.schedule(after: .milliseconds(1)) { self.finish() }
    }

    private func operate() {
        let (choice, delay, victim) = state.withLock { state in
            state.result.operations += 1
            let delay = Int.random(in: -20..<(1 << Int.random(in: 0..<24, using: &state.random)), using: &state.random)
            return (
                Int.random(in: 0..<3, using: &state.random), delay, state.recent.randomElement(using: &state.random)
            )
        }
        switch (choice, victim) {
        case (1, let (name, handle)?): cancel(name, handle)
        case (2, let (name, handle)?): reschedule(name, handle, by: delay)
        default: add(delay)
        }
    }

    private func cancel(_ name: Int, _ handle: TimerHandle) {
        handle.cancel()
        state.withLock { state in
            guard state.live.removeValue(forKey: name) != nil else { return state.result.stale += 1 }
            state.model.cancel(name)
            state.overdue.remove(name)
            state.result.cancelled += 1
        }
    }

    private func reschedule(_ name: Int, _ handle: TimerHandle, by delay: Int) {
        let deadline = timers.now.advanced(by: .nanoseconds(delay))
        let isScheduled = handle.reschedule(to: deadline)
        state.withLock { state in
            if isScheduled != (state.live[name] != nil) {
                state.fail("timer \(name) could \(isScheduled ? "" : "not ")be rescheduled")
            }
            guard isScheduled else { return state.result.stale += 1 }
            _ = state.model.reschedule(name, to: deadline.nanoseconds)
            state.live[name]?.deadline = deadline
            state.note(name, delay)
            state.result.rescheduled += 1
        }
    }

    private func add(_ delay: Int) {
        let name = state.withLock { state -> Int in
            state.result.scheduled += 1
            return state.result.scheduled
        }
        let deadline = timers.now.advanced(by: .nanoseconds(delay))
        let handle = timers.schedule(at: deadline) { self.ran(name) }
        state.withLock { state in
            state.live[name] = (handle, deadline)
            state.model.schedule(at: deadline.nanoseconds, name)
            state.note(name, delay)
            if state.recent.count < 300 {
                state.recent.append((name, handle))
            } else {
                state.recent[Int.random(in: 0..<300, using: &state.random)] = (name, handle)
            }
        }
    }

    private func ran(_ name: Int) {
        let now = timers.now
        state.withLock { state in
            state.result.ran += 1
            guard let timer = state.live.removeValue(forKey: name) else {
                return state.fail("timer \(name) ran twice, or after it was cancelled")
            }
            if now < timer.deadline { state.fail("timer \(name) for \(timer.deadline) ran at \(now)") }
            let first = state.model.timers.first { $0.payload == name || !state.overdue.contains($0.payload) }
            if first?.payload != name {
                state.fail("timer \(name) for \(timer.deadline) ran before \(first.map { "\($0)" } ?? "nothing")")
            }
            state.model.cancel(name)
            state.overdue.remove(name)
        }
    }
}
