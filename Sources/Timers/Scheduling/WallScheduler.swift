public import Bus
package import Loop

/// Timers on the wall clock, whose work runs on a scheduler of your choice, and a signal of the times when the clock
/// is set.
///
/// The costs, order and lifetime are those of ``TimerScheduler``. The kernel tells it when the clock is set
/// (`TFD_TIMER_CANCEL_ON_SET`), so it does not poll, and an idle process is not woken.
public final class WallScheduler: WallTimedScheduler {
    /// Runs timers on `ThreadScheduler.shared`. Made at first use; if the system then has no descriptor or thread to
    /// give, the process ends with a message.
    public static let shared: WallScheduler = {
        do throws(TimerError) {
            return try WallScheduler()
        } catch {
            // Timers that were promised could never run, and there is no caller to report that to.
            fatalError(error.description)
        }
    }()

    private let timers: TimerScheduler
    private let noticed: Subject<ClockStep, Never>

    /// Timers that run on `scheduler`, which must not run its work at once: that would be on the package's own waiting
    /// thread, so no `ImmediateScheduler`. Holds one descriptor.
    ///
    /// - Throws: ``TimerError`` when the system has no descriptor or thread to give.
    public convenience init(on scheduler: some Scheduler = ThreadScheduler.shared) throws(TimerError) {
        let device: KernelTimer
        do throws(EventLoopError) {
            device = try KernelTimer(clock: .wall)
        } catch {
            throw TimerError(error)
        }
        try self.init(on: scheduler, device: device, clock: .wall, loop: .serving(scheduler))
    }

    /// - Parameter clock: the clock of `device`, when it is a clock of the kernel.
    package init(
        on scheduler: some Scheduler,
        device: some TimerDevice,
        clock: SystemClock?,
        loop: EventLoop
    ) throws(TimerError) {
        let noticed = Subject<ClockStep, Never>()
        self.noticed = noticed
        timers = try TimerScheduler(on: scheduler, device: device, clock: clock, loop: loop) { distance in
            let now = TimerInstant(nanoseconds: device.now)
            let step = ClockStep(distance: .nanoseconds(distance), noticed: now)
            scheduler.schedule { noticed.send(step) }
        }
    }

    public var now: TimerInstant { timers.now }

    public func schedule(_ work: @escaping @Sendable () -> Void) { timers.schedule(work) }

    public var isCurrent: Bool { timers.isCurrent }

    public func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        timers.schedule(at: deadline, work)
    }

    public var steps: AnySignal<ClockStep, Never> { noticed.eraseToAnySignal() }

    /// How many timers are scheduled.
    package var count: Int { timers.count }
}

/// A scheduler on the wall clock, which people and NTP set: ``WallScheduler``, and in tests `TestScheduler`'s `wall`.
///
/// Its instants are nanoseconds since 1970-01-01 00:00 UTC. A deadline is a time of day. When the clock is set
/// forward past it, the timer is due at once. When the clock is set back, the timer waits for that time to come
/// (again); timers that were due but had not begun to run wait, too. A timer never runs while the clock shows less
/// than its deadline.
///
/// Use it for calendars. For durations, use a scheduler whose clock is never set.
public protocol WallTimedScheduler: TimedScheduler {
    /// Sends a value when the clock is set. Hot; it sends on this scheduler, before or after the timers that the step
    /// made due were handed to it; the order is not promised. Never ends.
    var steps: AnySignal<ClockStep, Never> { get }
}

/// Somebody set the wall clock.
public struct ClockStep: Sendable, Hashable, CustomStringConvertible {
    /// How far it was set forward; negative when it was set back. Measured against the boot clock, to within some
    /// microseconds; NTP makes the boot clock faster and slower along with this one. Several steps noticed at once
    /// are one.
    ///
    /// About zero when the machine was suspended and resumed, which the kernel reports in the same way.
    public let distance: Duration

    /// The time of the wall clock when the step was noticed.
    public let noticed: TimerInstant

    /// For tests of code that hears of steps.
    public init(distance: Duration, noticed: TimerInstant) {
        self.distance = distance
        self.noticed = noticed
    }

    public var description: String {
        distance < .zero ? "the clock was set back by \(.zero - distance)" : "the clock was set forward by \(distance)"
    }
}
