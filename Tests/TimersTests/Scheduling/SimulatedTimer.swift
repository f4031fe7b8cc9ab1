import Bus
import Glibc
import Loop
import Timers

/// A timer device with a clock that a test sets. It acts like the kernel's wall clock and timerfd, as seen by the
/// driver.
final class SimulatedTimer: TimerDevice {
    private struct State {
        var now: Int64
        var offset: Int64 = 0
        var armed = Int64.max
        var wasSet = false
        var isReady = false
    }

    private let state: Lock<State>
    private let pipe: [CInt]
    /// Opens when the descriptor is returned.
    let closed = Latch()
    var descriptor: CInt { pipe[0] }

    init(startingAt now: Int64) {
        state = Lock(State(now: now))
        var ends: [CInt] = [-1, -1]
        precondition(Glibc.pipe(&ends) == 0)
        pipe = ends
    }

    var events: ReadyEvents { .readable }
    var now: Int64 { state.withLock { $0.now } }
    var offset: Int64? { state.withLock { $0.offset } }

    /// Lets time pass.
    func advance(by distance: Int64) {
        change { $0.now += distance }
    }

    /// Sets the clock.
    func set(by distance: Int64) {
        change { state in
            state.now += distance
            state.offset += distance
            state.wasSet = true
        }
    }

    func arm(_ deadline: Int64) -> Bool {
        change { state in
            state.armed = deadline
            defer { state.wasSet = false }
            return !state.wasSet
        }
    }

    func read() -> TimerReading {
        state.withLock { state in
            guard state.isReady else { return .nothing }
            var byte: UInt8 = 0
            _ = Glibc.read(pipe[0], &byte, 1)
            state.isReady = false
            defer { state.wasSet = false }
            if state.wasSet { return .clockWasSet }
            guard state.armed <= state.now else { return .nothing }
            state.armed = .max
            return .expired
        }
    }

    func close() {
        Glibc.close(pipe[0])
        Glibc.close(pipe[1])
        closed.open()
    }

    @discardableResult
    private func change<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        state.withLock { state in
            let result = body(&state)
            if !state.isReady, state.wasSet || state.armed <= state.now {
                state.isReady = true
                var byte: UInt8 = 1
                _ = write(pipe[1], &byte, 1)
            }
            return result
        }
    }
}
