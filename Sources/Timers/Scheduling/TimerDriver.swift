import Bus
import CLinux
import Glibc

/// A timer wheel with a clock of the kernel, and one timerfd that is armed for the wheel's next deadline only.
///
/// It runs nothing: when something is due, it says so once, on the event loop's thread, and is asked with ``takeDue()``
/// until nothing is left. In between it does not arm the timerfd, so the one who was told decides how fast things go.
/// With nothing scheduled there is nothing armed, and nobody wakes.
///
/// A deadline later than the armed one costs no system call, and neither does cancelling: a timer that was armed for and
/// then cancelled causes one wake in vain.
final class TimerDriver: Sendable {
    enum Due {
        case work(TimerWork)
        /// The driver waits for the next deadline and will say when it has come.
        case nothing
    }

    private struct State: ~Copyable {
        var wheel: TimerWheel<TimerWork>
        /// What the timerfd is armed for; the end of the line when it is not.
        var armed = Int64.max
        /// Someone was told and has not yet found nothing due.
        var isTold = false

        /// Arms the timerfd if it would otherwise come too late.
        @inline(__always)
        mutating func arm(_ timer: CInt, for deadline: Int64) {
            guard !isTold, deadline < armed, let next = wheel.nextDeadline, next < armed else { return }
            armed = next
            // It fails only for a descriptor that is not a timerfd, and this one is ours until `deinit`.
            _ = clinux_timerfd_arm(timer, next)
        }
    }

    private let clock: SystemClock
    private let timer: CInt
    private let loop: EventLoop
    private let watch = Lock<EventLoop.Watch?>(nil)
    private let state: Lock<State>

    /// - Throws: when the system has no descriptor or thread to give.
    init(clock: SystemClock, loop: EventLoop) throws(EventLoopError) {
        self.clock = clock
        self.loop = loop
        timer = try EventLoopError.check(clinux_timerfd_create(clock.id), "create a timerfd descriptor")
        state = Lock(State(wheel: TimerWheel(startingAt: clock.now)))
    }

    deinit {
        let timer = timer
        if let watch = watch.withLock({ $0 }) {
            watch.cancel { close(timer) }
        } else {
            close(timer)
        }
    }

    /// From now on calls `whenDue` on the loop's thread when something is due. Called once, before the first timer.
    func start(_ whenDue: @escaping @Sendable () -> Void) throws(EventLoopError) {
        let watch = try loop.watch(timer) { [weak self] _ in
            if self?.timerExpired() == true { whenDue() }
        }
        self.watch.withLock { $0 = watch }
    }

    var now: Int64 { clock.now }

    var count: Int { state.withLock { $0.wheel.count } }

    func schedule(at deadline: Int64, _ work: TimerWork) -> TimerToken {
        state.withLock { state in
            let token = state.wheel.schedule(at: deadline, work)
            state.arm(timer, for: deadline)
            return token
        }
    }

    func cancel(_ token: TimerToken) {
        let (work, hasShrunk) = state.withLock { state -> (TimerWork?, Bool) in
            (state.wheel.cancel(token), state.wheel.takeHasShrunk())
        }
        // The work is released here and not under the lock: what it holds may be anybody's.
        _ = consume work
        if hasShrunk { releaseFreeMemory() }
    }

    func reschedule(_ token: TimerToken, to deadline: Int64) -> Bool {
        state.withLock { state in
            guard state.wheel.reschedule(token, to: deadline) else { return false }
            state.arm(timer, for: deadline)
            return true
        }
    }

    /// The next work that is due at `time`. When there is none, the timerfd is armed and `whenDue` will be called again.
    func takeDue(at time: Int64) -> Due {
        state.withLock { state in
            if let expired = state.wheel.popExpired(at: time) { return .work(expired.payload) }
            state.isTold = false
            state.armed = .max
            state.arm(timer, for: .min)
            return .nothing
        }
    }

    /// Answers whether to tell.
    private func timerExpired() -> Bool {
        // Nothing to read: it was armed anew between expiring and now, and will come again.
        guard clinux_timerfd_clear(timer) > 0 else { return false }
        return state.withLock { state in
            guard !state.isTold else { return false }
            state.isTold = true
            return true
        }
    }

    /// Many closures have gone, and malloc keeps their memory until someone asks: the loop's thread does, since it takes
    /// some 3 ms for every million.
    private func releaseFreeMemory() {
        // Without a thread to do it the memory stays with malloc, as that of any program does.
        try? loop.perform { clinux_release_free_memory() }
    }
}
