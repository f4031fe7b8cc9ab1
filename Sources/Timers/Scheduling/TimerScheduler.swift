public import Bus

/// Timers on the machine's monotonic clock, whose work runs on a scheduler of your choice.
///
/// A timer costs 48 bytes and its closure; scheduling and cancelling take constant time, whatever else is scheduled,
/// and no system call unless the timer is the next one due. Deadlines are met to within 16 µs, plus what the machine
/// needs to wake two threads and what the scheduler is busy with. With nothing scheduled, nothing wakes.
///
/// All timers of one `TimerScheduler` that are due run one after another on its scheduler, in turns of at most 256, so
/// that other work given to the scheduler is not held up. While the system is suspended the clock stands still.
///
/// The timers go with the `TimerScheduler`: when the last reference to it is dropped, handles included, what is still
/// scheduled is released and never runs.
public final class TimerScheduler: TimedScheduler, TimerOwner {
    /// Runs timers on `ThreadScheduler.shared`. Made at first use; the process ends with a message when the system then
    /// has no descriptor or thread to give.
    public static let shared: TimerScheduler = {
        do throws(TimerError) {
            return try TimerScheduler()
        } catch {
            // Timers that were promised and can never run would be a silent end, and there is no one to tell.
            fatalError(error.description)
        }
    }()

    private let scheduler: any Scheduler
    private let driver: TimerDriver

    /// Timers that run on `scheduler`, which must not run its work at once: that would be on the package's own waiting
    /// thread, so no `ImmediateScheduler`. Holds one descriptor, and makes use of one thread of the process for
    /// waiting.
    ///
    /// - Throws: ``TimerError`` when the system has no descriptor or thread to give.
    public convenience init(on scheduler: some Scheduler = ThreadScheduler.shared) throws(TimerError) {
        try self.init(on: scheduler, clock: .monotonic, loop: .shared)
    }

    package init(on scheduler: some Scheduler, clock: SystemClock, loop: EventLoop) throws(TimerError) {
        self.scheduler = scheduler
        do throws(EventLoopError) {
            driver = try TimerDriver(clock: clock, loop: loop)
            try driver.start { [weak driver] in
                if let driver { Self.handOver(driver, to: scheduler) }
            }
        } catch {
            throw TimerError(error)
        }
    }

    public var now: TimerInstant { TimerInstant(nanoseconds: driver.now) }

    public func schedule(_ work: @escaping @Sendable () -> Void) { scheduler.schedule(work) }

    public var isCurrent: Bool { scheduler.isCurrent }

    public func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        TimerHandle(owner: self, token: driver.schedule(at: deadline.nanoseconds, TimerWork(work)))
    }

    public func cancelTimer(_ token: TimerToken) { driver.cancel(token) }

    public func rescheduleTimer(_ token: TimerToken, to deadline: TimerInstant) -> Bool {
        driver.reschedule(token, to: deadline.nanoseconds)
    }

    /// How many timers are scheduled.
    package var count: Int { driver.count }

    /// What is due stays in the wheel until it runs, and one piece of work takes it from there: so a timer can be
    /// cancelled until the moment it runs, and many due at once are one hop.
    private static func handOver(_ driver: TimerDriver, to scheduler: some Scheduler) {
        scheduler.schedule { [weak driver] in
            if let driver { runDue(driver, on: scheduler) }
        }
    }

    private static func runDue(_ driver: TimerDriver, on scheduler: some Scheduler) {
        let time = driver.now
        for _ in 0..<256 {
            guard let work = driver.takeDue(at: time) else { return }
            work.run()
        }
        handOver(driver, to: scheduler)
    }
}
