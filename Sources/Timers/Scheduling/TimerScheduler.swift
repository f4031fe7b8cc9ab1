public import Bus
package import Loop
import Synchronization
public import SystemPackage

/// Timers on a clock of the machine, whose work runs on a scheduler of your choice.
///
/// A timer costs 48 bytes and its closure. Scheduling and cancelling take constant time, however many timers there
/// are, and no system call unless the timer is the next one due. Deadlines are met to within ``resolution``, plus the
/// time to wake a thread and the scheduler's other work. With nothing scheduled, nothing wakes.
///
/// A `ThreadScheduler`'s own thread waits for its timers. For any other kind, such as a Dispatch queue, the package's
/// waiting thread waits and hands over, so that two threads have to wake.
///
/// All timers of one `TimerScheduler` that are due run one after another on its scheduler, in batches of at most 256, so
/// that other work given to the scheduler is not held up.
///
/// The timers are freed with the `TimerScheduler`: when the last reference to it is dropped, timers that are still
/// scheduled are released and never run. Handles are no such references.
public final class TimerScheduler: TimedScheduler {
    /// Runs timers of the monotonic clock on `ThreadScheduler.shared`. Made at first use; if the system then has no
    /// descriptor or thread to give, the process ends with a message.
    public static let shared = {
        let shared = makeShared(.monotonic)
        isSharedMade.store(true, ordering: .releasing)
        return shared
    }()

    private static let isSharedMade = Atomic<Bool>(false)

    /// How many timers are scheduled on ``shared``. Does not make ``shared``.
    package static var sharedCount: Int { isSharedMade.load(ordering: .acquiring) ? shared.count : 0 }

    /// The same on the boot clock, which goes on while the machine is suspended.
    public static let sharedBoot = makeShared(.boot)

    private static func makeShared(_ clock: SystemClock) -> TimerScheduler {
        do throws(TimerError) {
            return try TimerScheduler(clock: clock)
        } catch {
            // Timers that were promised could never run, and there is no caller to report that to.
            fatalError(error.description)
        }
    }

    /// The most by which a deadline is rounded up: 1,024 ns.
    public static let resolution = Duration.nanoseconds(1 << TimerWheel<Never>.defaultResolutionBits)

    private let scheduler: any Scheduler
    private let driver: TimerDriver
    /// The kernel's number of the driver's clock, which is faster to read; nil for a test's device.
    @usableFromInline let clock: CInt?

    /// Timers that run on `scheduler`, which must not run its work at once: that would be on the package's own
    /// waiting thread, so no `ImmediateScheduler`. Holds one descriptor, and with the first on a thread, two more for
    /// that thread's waiting.
    ///
    /// - Parameters:
    ///   - scheduler: where timers run.
    ///   - clock: the clock of the timers' instants. On the wall clock they follow its steps, as ``WallTimedScheduler`` says;
    ///     ``WallScheduler`` also reports the steps.
    /// - Throws: ``TimerError`` when the system has no descriptor or thread to give.
    public convenience init(
        on scheduler: some Scheduler = ThreadScheduler.shared,
        clock: SystemClock = .monotonic
    ) throws(TimerError) {
        try self.init(on: scheduler, clock: clock, loop: .serving(scheduler))
    }

    package convenience init(on scheduler: some Scheduler, clock: SystemClock, loop: EventLoop) throws(TimerError) {
        let device: KernelTimer
        do throws(EventLoopError) {
            device = try KernelTimer(clock: clock)
        } catch {
            throw TimerError(error)
        }
        try self.init(on: scheduler, device: device, clock: clock, loop: loop, whenSet: { _ in })
    }

    /// - Parameter whenSet: called on the loop's thread when the clock was set, with the nanoseconds that it was set
    ///   forward.
    init(
        on scheduler: some Scheduler,
        device: some TimerDevice,
        clock: SystemClock?,
        loop: EventLoop,
        whenSet: @escaping @Sendable (Int64) -> Void
    ) throws(TimerError) {
        self.scheduler = scheduler
        self.clock = clock?.id
        driver = TimerDriver(device, loop: loop)
        let waitsItself = loop.isOn(scheduler)
        let whenDue: @Sendable (TimerAlarm.Notifier) -> Void = { [weak driver] notifier in
            guard let driver else { return }
            // Here the loop's thread is the scheduler's own, between two pieces of its work.
            if waitsItself, notifier == .loop { return Self.runDue(driver, on: scheduler) }
            Self.handOver(driver, to: scheduler)
        }
        do throws(EventLoopError) {
            try driver.start(TimerAlarm.Callbacks(whenDue: whenDue, whenSet: whenSet))
        } catch {
            throw TimerError(error)
        }
    }

    deinit {
        driver.close()
    }

    @inlinable
    public var now: TimerInstant {
        TimerInstant(nanoseconds: clock.map { SystemClock.read($0) } ?? deviceReading)
    }

    @usableFromInline var deviceReading: Int64 { driver.now }

    public func schedule(_ work: @escaping @Sendable () -> Void) { scheduler.schedule(work) }

    public var isCurrent: Bool { scheduler.isCurrent }

    public func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        driver.schedule(at: deadline.nanoseconds, TimerWork(work))
    }

    /// How many timers are scheduled.
    package var count: Int { driver.count }

    /// Due timers stay in the wheel until they run, and one piece of work takes them from there: so a timer can be
    /// cancelled until the moment it runs, and many due at once are one hop.
    private static func handOver(_ driver: TimerDriver, to scheduler: some Scheduler) {
        scheduler.schedule { [weak driver] in
            if let driver { runDue(driver, on: scheduler) }
        }
    }

    private static func runDue(_ driver: TimerDriver, on scheduler: some Scheduler) {
        // A clock that can be set may be set by any of the works.
        let time = driver.canBeSet ? nil : driver.now
        for _ in 0..<256 {
            guard let work = driver.takeDue(at: time ?? driver.now) else { return }
            work.run()
        }
        handOver(driver, to: scheduler)
    }
}

/// The system had no descriptor or thread for timers.
public struct TimerError: Error, Equatable, CustomStringConvertible {
    /// Why there was none.
    public let errno: Errno

    /// A description of what was being done, why it failed and what to do about it.
    public let description: String

    init(_ error: EventLoopError) {
        errno = Errno(rawValue: error.code)
        description = "cannot set up timers: \(error)"
    }
}
