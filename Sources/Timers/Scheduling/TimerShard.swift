import Bus
import CLinux
import Synchronization

/// One of the wheels of a driver, and the owner that its timers' handles call. Each thread schedules in its own, so
/// that two threads do not wait for each other, nor move a cache line to and fro. (With one wheel for all, two busy
/// threads took 770 ns for scheduling and cancelling; with a wheel each, whose handles counted references to one
/// common object, 110.)
final class TimerShard: TimerOwner {
    /// Keeps off the neighbour's cache line and the one after it, which the processor fetches along.
    private struct Guarded: ~Copyable {
        let before = Self.padding
        /// Whether the alarm knows that there are timers here.
        var isListed = false
        var wheel: TimerWheel<TimerWork>
        let after = Self.padding

        private static var padding: InlineArray<16, UInt64> { InlineArray(repeating: 0) }
    }

    private let state: Lock<Guarded>
    private let alarm: TimerAlarm
    private let bit: UInt64
    // Handles change only the reference count of this object: nothing else lies on its cache line.
    private let padding = InlineArray<16, UInt64>(repeating: 0)

    /// - Parameter bit: the bit for this shard in ``TimerAlarm/filledShards``.
    init(startingAt start: Int64, _ alarm: TimerAlarm, bit: UInt64) {
        self.alarm = alarm
        self.bit = bit
        state = Lock(Guarded(wheel: TimerWheel(startingAt: start)))
    }

    var count: Int { state.withLock { $0.wheel.count } }

    /// When ``nextExpired(at:)`` will return a timer, or nil when there is none.
    func nextDeadline() -> Int64? {
        state.withLock { state in
            if state.wheel.count == 0, state.isListed {
                state.isListed = false
                alarm.filledShards.bitwiseAnd(~bit, ordering: .sequentiallyConsistent)
            }
            return state.wheel.nextDeadline
        }
    }

    func schedule(at deadline: Int64, _ work: TimerWork) -> TimerHandle {
        let (token, wake) = state.withLock { state -> (TimerToken, Int64?) in
            let token = state.wheel.schedule(at: deadline, work)
            if !state.isListed {
                state.isListed = true
                // Before the alarm is checked: a thread that arms it meanwhile looks here after that.
                alarm.filledShards.bitwiseOr(bit, ordering: .sequentiallyConsistent)
            }
            return (token, deadline < alarm.time ? state.wheel.nextDeadline : nil)
        }
        if let wake { alarm.arm(for: wake) }
        return TimerHandle(owner: self, token: token)
    }

    func cancelTimer(_ token: TimerToken) {
        let (work, hasShrunk) = state.withLock { state in
            (state.wheel.cancel(token), state.wheel.takeHasShrunk())
        }
        // The work is released here and not under the lock: its deinitialiser may run any code.
        _ = consume work
        if hasShrunk { releaseFreeMemory() }
    }

    func rescheduleTimer(_ token: TimerToken, to deadline: TimerInstant) -> Bool {
        let deadline = deadline.nanoseconds
        let (isScheduled, wake) = state.withLock { state -> (Bool, Int64?) in
            guard state.wheel.reschedule(token, to: deadline) else { return (false, nil) }
            return (true, deadline < alarm.time ? state.wheel.nextDeadline : nil)
        }
        if let wake { alarm.arm(for: wake) }
        return isScheduled
    }

    /// - Parameter time: the clock's reading. When it is earlier than one before, the clock was set back.
    func nextExpired(at time: Int64) -> TimerWheel<TimerWork>.Due? {
        state.withLock { state in
            if state.wheel.isAhead(of: time) { state.wheel.rewind(to: time) }
            return state.wheel.nextExpired(at: time)
        }
    }

    /// The same, and takes it.
    func popExpired(at time: Int64) -> TimerWork? {
        state.withLock { state in
            if state.wheel.isAhead(of: time) { state.wheel.rewind(to: time) }
            return state.wheel.popExpired(at: time)?.payload
        }
    }

    func take(_ due: TimerWheel<TimerWork>.Due) -> TimerWork? {
        state.withLock { $0.wheel.take(due) }
    }

    /// Releases all timers.
    func removeAll() {
        var wheel = TimerWheel<TimerWork>(startingAt: 0)
        state.withLock { swap(&$0.wheel, &wheel) }
        // The timers are released here and not under the lock.
        _ = consume wheel
    }

    /// Many closures have been freed, and malloc keeps their memory until somebody asks for it. The loop's thread
    /// does that, because it takes some 3 ms for every million.
    ///
    /// The documentation promises it (Clocks, "A timer is cancelled"), and the benchmark `timer-population` allows
    /// 4 MB to be left of a million timers or more. ``TimerSlab/takeHasShrunk()`` keeps it rare.
    private func releaseFreeMemory() {
        // Without a thread to do it the memory stays with malloc, as in any program.
        try? alarm.perform { clinux_release_free_memory() }
    }
}

/// The work of a timer. It is a structure because passing a bare closure as a generic type's parameter costs an
/// allocation on its way in and another on its way out.
package struct TimerWork: Sendable {
    package let run: @Sendable () -> Void

    package init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
