import Bus
import CLinux
import Glibc
import Synchronization

/// Timer wheels with a clock of the kernel, and one timerfd that is armed for the next deadline only.
///
/// It runs nothing: when something is due, it says so once, on the event loop's thread, and is asked with
/// ``takeDue(at:)`` until nothing is left. In between it does not arm the timerfd, so the one who was told decides how
/// fast things go. With nothing scheduled there is nothing armed, and nobody wakes.
///
/// A deadline later than the armed one costs no system call, and neither does cancelling: a timer that was armed for
/// and then cancelled causes one wake in vain.
final class TimerDriver: Sendable {
    /// `armed` while someone was told and has not yet found nothing due: no deadline is earlier.
    private static let told = Int64.min
    /// `armed` while there is nothing to wait for.
    private static let unarmed = Int64.max

    private let clock: SystemClock
    private let timer: CInt
    private let loop: EventLoop
    private let shards: InlineArray<8, TimerShard>
    /// What the timerfd is armed for. Written with `arming` held, read by everybody after storing a timer: whoever arms
    /// looks at the shards after writing here, so one of the two sees the other.
    private let armed = Atomic<Int64>(unarmed)
    private let arming = Lock<EventLoop.Watch?>(nil)

    /// - Throws: when the system has no descriptor or thread to give.
    init(clock: SystemClock, loop: EventLoop) throws(EventLoopError) {
        self.clock = clock
        self.loop = loop
        timer = try EventLoopError.check(clinux_timerfd_create(clock.id), "create a timerfd descriptor")
        let now = clock.now
        shards = InlineArray { TimerShard(number: $0, startingAt: now) }
    }

    deinit {
        let timer = timer
        if let watch = arming.withLock({ $0 }) {
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
        arming.withLock { $0 = watch }
    }

    var now: Int64 { clock.now }

    var count: Int {
        var count = 0
        for number in shards.indices { count += shards[number].count }
        return count
    }

    // MARK: Timers

    func schedule(at deadline: Int64, _ work: TimerWork) -> TimerToken {
        // Threads' numbers are addresses of their stacks: the multiplication spreads what lies above the page.
        let number = (UInt64(truncatingIfNeeded: pthreadSelf()) &>> 12 &* 0x9E37_79B9_7F4A_7C15) &>> 61
        let (token, wake) = shards[Int(number)].schedule(at: deadline, work) { armed.load(ordering: .acquiring) }
        if let wake { arm(for: wake) }
        return token
    }

    func cancel(_ token: TimerToken) {
        guard let number = TimerShard.number(of: token) else { return }
        let (work, hasShrunk) = shards[number].cancel(token)
        // The work is released here and not under the lock: what it holds may be anybody's.
        _ = consume work
        if hasShrunk { releaseFreeMemory() }
    }

    func reschedule(_ token: TimerToken, to deadline: Int64) -> Bool {
        guard let number = TimerShard.number(of: token) else { return false }
        let (isScheduled, wake) = shards[number].reschedule(token, to: deadline) { armed.load(ordering: .acquiring) }
        if let wake { arm(for: wake) }
        return isScheduled
    }

    // MARK: What is due

    /// The next work that is due at `time`; by deadline, and among those of one thread with the same deadline in the
    /// order of scheduling. Nil when there is none: then `whenDue` will be called for the next. One caller at a time.
    func takeDue(at time: Int64) -> TimerWork? {
        while true {
            var earliest: (due: TimerWheel<TimerWork>.Due, shard: Int)?
            for number in shards.indices {
                guard let due = shards[number].nextExpired(at: time) else { continue }
                if let earliest, earliest.due.deadline <= due.deadline { continue }
                earliest = (due, number)
            }
            guard let earliest else {
                armForNext()
                return nil
            }
            // Nil when it was cancelled or put off since.
            if let work = shards[earliest.shard].take(earliest.due) { return work }
        }
    }

    private func arm(for deadline: Int64) {
        arming.withLock { _ in
            guard deadline < armed.load(ordering: .relaxed) else { return }
            setTimer(deadline)
        }
    }

    private func armForNext() {
        arming.withLock { _ in
            armed.store(Self.unarmed, ordering: .releasing)
            var next = Self.unarmed
            for number in shards.indices { next = min(next, shards[number].nextDeadline ?? Self.unarmed) }
            if next < Self.unarmed { setTimer(next) }
        }
    }

    private func setTimer(_ deadline: Int64) {
        // The earliest time there is means that someone was told.
        let deadline = max(deadline, Self.told + 1)
        // It fails only for a descriptor that is not a timerfd, and this one is ours until `deinit`.
        _ = clinux_timerfd_arm(timer, deadline)
        armed.store(deadline, ordering: .releasing)
    }

    /// Answers whether to tell.
    private func timerExpired() -> Bool {
        // Nothing to read: it was armed anew between expiring and now, and will come again.
        guard clinux_timerfd_clear(timer) > 0 else { return false }
        return arming.withLock { _ in
            armed.exchange(Self.told, ordering: .acquiringAndReleasing) != Self.told
        }
    }

    /// Many closures have gone, and malloc keeps their memory until someone asks: the loop's thread does, since it
    /// takes some 3 ms for every million.
    private func releaseFreeMemory() {
        // Without a thread to do it the memory stays with malloc, as that of any program does.
        try? loop.perform { clinux_release_free_memory() }
    }
}
