import Bus
import Testing
import Timers

/// The whole of driver, wheels and kernel clock under random use.
@Suite("Timers on the kernel's clocks, at random")
struct NeverEarlyTests {
    @Test(
        "tens of thousands of schedules, cancellations and reschedules: never early, each once or not at all",
        arguments: [SystemClock.monotonic, .boot, .wall]
    )
    func neverEarly(clock: SystemClock) throws {
        let thread = ThreadScheduler(name: "test-early")
        let timers = try TimerScheduler(on: thread, clock: clock)
        let run = RandomTimers(timers)
        thread.schedule { run.turn() }
        run.done.wait()
        let result = run.result
        #expect(result.early == 0)
        #expect(result.twice == 0)
        #expect(result.operations >= 60_000)
        #expect(result.ran > 2000)
        #expect(result.ran + result.cancelled == result.scheduled)
        #expect(timers.count == 0)
    }
}

/// Everything happens on the timers' thread, so that nothing is in flight while it is looked at.
private final class RandomTimers: Sendable {
    struct Result: Sendable {
        var operations = 0
        var scheduled = 0
        var cancelled = 0
        var ran = 0
        var early = 0
        var twice = 0
    }

    private struct State: Sendable {
        var random = SeededGenerator(77)
        var result = Result()
        var live: [Int: (handle: TimerHandle, deadline: TimerInstant)] = [:]
        var names: [Int] = []
    }

    let done = Latch()
    private let timers: TimerScheduler
    private let state = Lock(State())

    init(_ timers: TimerScheduler) {
        self.timers = timers
    }

    var result: Result { state.withLock { $0.result } }

    /// A thousand operations, then whatever is due gets its turn.
    func turn() {
        for _ in 0..<1000 { operate() }
        let isOver = state.withLock { $0.result.operations >= 60_000 }
        if !isOver { return timers.schedule { self.turn() } }
        finish()
    }

    private func finish() {
        if state.withLock({ $0.live.isEmpty }) { return done.open() }
        timers.schedule(after: .milliseconds(1)) { self.finish() }
    }

    private func operate() {
        let (choice, delay, victim) = state.withLock { state -> (Int, Int, Int?) in
            state.result.operations += 1
            let delay = Int.random(in: -20..<(1 << Int.random(in: 0..<24, using: &state.random)), using: &state.random)
            return (Int.random(in: 0..<3, using: &state.random), delay, state.names.randomElement(using: &state.random))
        }
        let deadline = timers.now.advanced(by: .nanoseconds(delay))
        let entry = victim.flatMap { name in state.withLock { $0.live[name].map { (name, $0) } } }
        switch (choice, entry) {
        case (1, let (name, timer)?):
            timer.handle.cancel()
            state.withLock { state in
                state.live[name] = nil
                state.result.cancelled += 1
            }
        case (2, let (name, timer)?):
            if timer.handle.reschedule(to: deadline) { state.withLock { $0.live[name]?.deadline = deadline } }
        default:
            add(deadline)
        }
    }

    private func add(_ deadline: TimerInstant) {
        let name = state.withLock { state -> Int in
            state.result.scheduled += 1
            if state.names.count < 500 {
                state.names.append(state.result.scheduled)
            } else {
                state.names[Int.random(in: 0..<500, using: &state.random)] = state.result.scheduled
            }
            return state.result.scheduled
        }
        let handle = timers.schedule(at: deadline) { self.ran(name) }
        state.withLock { $0.live[name] = (handle, deadline) }
    }

    private func ran(_ name: Int) {
        let now = timers.now
        state.withLock { state in
            state.result.ran += 1
            guard let timer = state.live.removeValue(forKey: name) else {
                state.result.twice += 1
                return
            }
            if now < timer.deadline { state.result.early += 1 }
        }
    }
}
