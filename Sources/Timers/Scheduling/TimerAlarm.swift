import Bus
import CLinux
import Glibc
package import Loop
import Synchronization

/// The one alarm of a driver: armed for the earliest deadline, silent while due timers are being taken.
///
/// It runs nothing. When a timer is due it reports that once, on the event loop's thread. From then on, until
/// ``armForNext(_:)``, it is not armed, so the receiver of the report sets the pace.
final class TimerAlarm: Sendable {
    /// The value of `armed` while a receiver was notified and has not yet found nothing due: no deadline is earlier.
    private static let notified = Int64.min
    /// The value of `armed` while there is nothing to wait for.
    static let unarmed = Int64.max

    /// The thread that reports that a timer is due.
    enum Notifier: Sendable {
        /// The event loop's thread, which is doing nothing else.
        case loop
        /// The thread that armed the alarm, in the middle of other work.
        case anyone
    }

    struct Callbacks: Sendable {
        let whenDue: @Sendable (Notifier) -> Void
        /// The clock was set forward by so many nanoseconds, or back.
        let whenSet: @Sendable (Int64) -> Void
    }

    private struct State {
        /// Nil at the end, because handles may hold this for long, and the loop holds a thread.
        var loop: EventLoop?
        var watch: EventLoop.Watch?
        var callbacks: Callbacks?
        /// How far the clock was ahead when it was last checked.
        var offset: Int64?
    }

    private let device: any TimerDevice
    /// The deadline that the device is armed for. Written with `state` held, read by all threads after storing a
    /// timer. The thread that arms looks at the shards after writing here, so one of the two sees the other.
    private let armed = Atomic<Int64>(unarmed)
    /// A bit for every shard that has timers, and some that had.
    let filledShards = Atomic<UInt64>(0)
    private let state: Lock<State>

    /// Whether the device's clock can be set.
    let canBeSet: Bool

    init(_ device: any TimerDevice, loop: EventLoop) {
        self.device = device
        let offset = device.offset
        canBeSet = offset != nil
        state = Lock(State(loop: loop, offset: offset))
    }

    var now: Int64 { device.now }

    /// No timer with a later deadline needs the alarm to be armed for it.
    @inline(__always)
    var time: Int64 { armed.load(ordering: .sequentiallyConsistent) }

    /// From now on makes the calls, on the loop's thread. Called once, before the first timer.
    func start(_ callbacks: Callbacks) throws(EventLoopError) {
        let watch = try state.withLock { $0.loop }?.watch(device.descriptor, for: device.events) { [weak self] _ in
            self?.becameReady()
        }
        state.withLock { state in
            state.watch = watch
            state.callbacks = callbacks
            // An alarm that is never due still reports when the clock is set.
            if state.offset != nil { _ = device.arm(Self.unarmed) }
        }
    }

    /// Ends the calls and gives the descriptor back.
    func stop() {
        let device = device
        let watch = state.withLock { state in
            state.loop = nil
            return state.watch.take()
        }
        if let watch {
            watch.cancel { device.close() }
        } else {
            device.close()
        }
    }

    /// Makes sure that the alarm goes off no later than at `deadline`.
    func arm(for deadline: Int64) {
        notifyIfNeeded(
            as: .anyone,
            state.withLock { state in
                // After its end the descriptor may be another's.
                guard state.loop != nil, deadline < armed.load(ordering: .relaxed) else { return nil }
                return set(deadline, &state)
            }
        )
    }

    /// Arms for the next deadline: nothing was found due.
    func armForNext(_ next: () -> Int64?) {
        notifyIfNeeded(
            as: .anyone,
            state.withLock { state in
                guard state.loop != nil else { return nil }
                armed.store(Self.unarmed, ordering: .sequentiallyConsistent)
                guard let next = next(), next < Self.unarmed else {
                    return state.offset == nil ? nil : set(Self.unarmed, &state)
                }
                return set(next, &state)
            }
        )
    }

    /// Runs `work` on the loop's thread.
    func perform(_ work: @escaping @Sendable () -> Void) throws(EventLoopError) {
        try state.withLock { $0.loop }?.perform(work)
    }

    // MARK: Reports

    /// The report to make after the lock.
    private struct Report {
        var callbacks: Callbacks?
        var isDue = false
        var step: Int64?
    }

    /// - Returns: the report to make, when the clock was set meanwhile and all timers have to be checked.
    private func set(_ deadline: Int64, _ state: inout State) -> Report? {
        // The earliest possible time means that a receiver was notified.
        let deadline = max(deadline, Self.notified + 1)
        guard !device.arm(deadline) else {
            armed.store(deadline, ordering: .sequentiallyConsistent)
            return nil
        }
        armed.store(Self.notified, ordering: .sequentiallyConsistent)
        return Report(callbacks: state.callbacks, isDue: true, step: takeStep(&state))
    }

    private func becameReady() {
        notifyIfNeeded(
            as: .loop,
            state.withLock { state in
                let reading = device.read()
                if case .nothing = reading { return nil }
                var report = Report(callbacks: state.callbacks)
                if case .clockWasSet = reading { report.step = takeStep(&state) }
                report.isDue = armed.exchange(Self.notified, ordering: .sequentiallyConsistent) != Self.notified
                return report
            }
        )
    }

    private func takeStep(_ state: inout State) -> Int64? {
        guard let before = state.offset, let offset = device.offset else { return nil }
        state.offset = offset
        return offset &- before
    }

    private func notifyIfNeeded(as notifier: Notifier, _ report: Report?) {
        guard let report, let callbacks = report.callbacks else { return }
        if let step = report.step { callbacks.whenSet(step) }
        if report.isDue { callbacks.whenDue(notifier) }
    }
}

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

    /// Sets the alarm for an absolute time. A time that has passed goes off at once; `Int64.max` is never.
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
