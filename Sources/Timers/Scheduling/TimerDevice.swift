import CLinux
import Glibc
package import Loop

/// A clock and its one alarm. The kernel's is ``KernelTimer``; a test has one whose clock it sets.
package protocol TimerDevice: Sendable {
    /// The descriptor that is ready to read when the alarm went off or the clock was set.
    var descriptor: CInt { get }

    /// The events that the descriptor is watched for.
    var events: ReadyEvents { get }

    /// The clock's reading in nanoseconds.
    var now: Int64 { get }

    /// How far the clock is ahead of a clock that cannot be set; nil when this one cannot be set either.
    var offset: Int64? { get }

    /// Sets the alarm for an absolute time. One that has passed goes off at once; `Int64.max` is never.
    /// - Returns: false when the clock was set since the last call or reading: then the caller looks at the clock anew.
    func arm(_ deadline: Int64) -> Bool

    /// Reads the descriptor, which is then not ready any more.
    func read() -> TimerReading

    /// Gives the descriptor back. Nothing else is called after that.
    func close()
}

/// Why a timer's descriptor was ready.
package enum TimerReading: Sendable {
    /// It is not ready any more, because it was armed anew meanwhile.
    case nothing
    case expired
    case clockWasSet
}

/// A timerfd.
///
/// For a clock that cannot be set it reports only one thing, and is not read: it is watched for its edge, and arming
/// it anew clears it.
struct KernelTimer: TimerDevice {
    private let clock: SystemClock
    let descriptor: CInt

    var events: ReadyEvents { clock.canBeSet ? .readable : [.readable, .edge] }

    init(clock: SystemClock) throws(EventLoopError) {
        self.clock = clock
        descriptor = try EventLoopError.check(clinux_timerfd_create(clock.id), "create a timerfd descriptor")
    }

    var now: Int64 { clock.reading }

    var offset: Int64? {
        guard clock.canBeSet else { return nil }
        // The two clocks cannot be read at once: of some attempts, the one that took the least time.
        var best: (error: Int64, offset: Int64) = (.max, 0)
        for _ in 0..<5 {
            let before = SystemClock.boot.reading
            let reading = clock.reading
            let error = SystemClock.boot.reading &- before
            if error < best.error { best = (error, reading &- before &- error / 2) }
        }
        return best.offset
    }

    func arm(_ deadline: Int64) -> Bool {
        // Its only other error is a descriptor that is not a timerfd, and this one is ours until `close`.
        clinux_timerfd_arm(descriptor, deadline, clock.canBeSet ? 1 : 0) != -ECANCELED
    }

    func read() -> TimerReading {
        guard clock.canBeSet else { return .expired }
        let result = clinux_timerfd_clear(descriptor)
        if result == -ECANCELED { return .clockWasSet }
        return result > 0 ? .expired : .nothing
    }

    func close() { Glibc.close(descriptor) }
}
