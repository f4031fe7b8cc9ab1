public import Glibc

/// The machine's clocks, for timers and for Swift's `Clock` protocol.
///
/// | clock         | what it counts              | suspend    | is set by people and NTP |
/// | ------------- | --------------------------- | ---------- | ------------------------ |
/// | ``monotonic`` | since the machine started   | stands still | no                     |
/// | ``boot``      | since the machine started   | goes on    | no                       |
/// | ``wall``      | since 1970-01-01 00:00 UTC  | goes on    | yes                      |
///
/// ``monotonic`` is Swift's `SuspendingClock`, ``boot`` its `ContinuousClock`. Unlike with these, a cancelled sleep
/// here leaves nothing behind: `Task.sleep` keeps some 700 bytes until the time it would have ended.
public struct SystemClock: Clock, Hashable {
    /// The kernel's number of the clock.
    package let id: CInt

    /// `CLOCK_MONOTONIC`: never steps; stands still while the machine is suspended.
    public static let monotonic = SystemClock(id: CInt(CLOCK_MONOTONIC))
    /// `CLOCK_BOOTTIME`: never steps; goes on while the machine is suspended.
    public static let boot = SystemClock(id: CInt(CLOCK_BOOTTIME))
    /// `CLOCK_REALTIME`: the time of day. It steps, forwards and back, when somebody sets it.
    public static let wall = SystemClock(id: CInt(CLOCK_REALTIME))

    /// The clock's reading now.
    public var now: TimerInstant { TimerInstant(nanoseconds: reading) }

    /// One nanosecond; timers are kept to ``TimerScheduler/resolution``.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until the clock shows `deadline`, never less. When the wall clock is set, the wait follows it.
    ///
    /// The timer runs on `ThreadScheduler.shared`. The task goes on where its own isolation or executor says. A cancelled
    /// sleep ends at once and is freed at once.
    ///
    /// - Parameters:
    ///   - deadline: the end of the wait, on this clock.
    ///   - tolerance: not used; the wait is never longer than necessary.
    /// - Throws: `CancellationError`, when the task is cancelled.
    public func sleep(until deadline: TimerInstant, tolerance: Duration? = nil) async throws {
        switch self {
        case .boot: try await TimerScheduler.sharedBoot.sleep(until: deadline)
        case .wall: try await WallScheduler.shared.sleep(until: deadline)
        default: try await TimerScheduler.shared.sleep(until: deadline)
        }
    }
}

extension SystemClock {
    /// The clock's reading in nanoseconds.
    @inline(__always)
    package var reading: Int64 { Self.read(id) }

    package var canBeSet: Bool { self == .wall }

    @inlinable
    @inline(__always)
    static func read(_ id: CInt) -> Int64 {
        var time = timespec()
        // It fails only for a clock that the kernel does not have, and those above are older than every supported
        // kernel.
        clock_gettime(id, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
