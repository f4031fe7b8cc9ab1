public import Bus
public import Synchronization

/// The wait of one subscription to `timeout`: when an event was last heard, and the timer that checks it.
@usableFromInline
final class TimeoutWait<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable {
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let mode: TimeoutMode
    @usableFromInline let scheduler: Time
    /// When the wait began: nanoseconds on the scheduler's clock. Written by the source's thread at each value and by
    /// the thread that makes room, read by the timer.
    @usableFromInline let since: Atomic<Int64>
    /// There is no room for values, so nothing is waited for until the output calls back.
    private let isPaused = Atomic<Bool>(false)
    private let duration: Int64
    private let timer = SerialTimer()
    private let error: @Sendable () -> Downstream.Failure

    @usableFromInline
    init(
        _ output: SerialObserver<Downstream>,
        _ duration: Int64,
        _ mode: TimeoutMode,
        _ scheduler: Time,
        _ error: @escaping @Sendable () -> Downstream.Failure
    ) {
        self.output = output
        self.duration = duration
        self.mode = mode
        self.scheduler = scheduler
        self.error = error
        since = Atomic(scheduler.now.nanoseconds)
    }

    deinit {
        output.abandon()
    }

    @usableFromInline
    func start() {
        output.resources.add(timer)
        arm()
    }

    /// There is nothing left to wait for.
    @usableFromInline
    func end() { timer.dispose() }

    private var deadline: TimerInstant {
        TimerInstant(nanoseconds: since.load(ordering: .relaxed)).advanced(byNanoseconds: duration)
    }

    private func arm() {
        timer.schedule(at: deadline, on: scheduler) { self.fire() }
    }

    private func fire() {
        // It does not wait behind values for which there is no room.
        if mode == .total { return fail() }
        if output.demand == .pause { pause() }
        // Decided in its turn among the values: one that has been heard is not followed by a failure.
        output.perform { _, _ in
            // The end of the pause sets the timer.
            if self.isPaused.load(ordering: .acquiring) { return }
            // Values came meanwhile, or a pause has ended: wait for the rest.
            if self.deadline > self.scheduler.now { return self.arm() }
            // The first value has come.
            if self.timer.isDisposed { return }
            self.fail()
        }
    }

    private func fail() {
        output.stop()
        output.terminate(.failed(error()))
    }

    /// The source is told to send nothing for now, and its silence does not count.
    @usableFromInline
    func pause() {
        guard mode != .total, !timer.isDisposed else { return }
        guard !isPaused.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if output.whenReady({ self.resume() }) == .more { resume() }
    }

    private func resume() {
        since.store(scheduler.now.nanoseconds, ordering: .relaxed)
        isPaused.store(false, ordering: .releasing)
        arm()
    }
}

/// Notes when values come.
@frozen
@usableFromInline
struct TimeoutObserver<UpstreamFailure: Error, Downstream: Observer & ~Copyable, Time: TimedScheduler>:
    Observer, ~Copyable
{
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = UpstreamFailure
    @usableFromInline let wait: TimeoutWait<Downstream, Time>
    // The wait has it, and it is held here too: reaching it through the wait would count references at every value,
    // 20 ns each.
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let scheduler: Time
    @usableFromInline let mode: TimeoutMode
    @usableFromInline let convert: @Sendable (UpstreamFailure) -> Downstream.Failure
    @usableFromInline var isFirst = true

    @inlinable
    init(
        _ wait: TimeoutWait<Downstream, Time>,
        _ convert: @escaping @Sendable (UpstreamFailure) -> Downstream.Failure
    ) {
        self.wait = wait
        output = wait.output
        scheduler = wait.scheduler
        mode = wait.mode
        self.convert = convert
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        switch mode {
        case .between: wait.since.store(scheduler.now.nanoseconds, ordering: .relaxed)
        case .first where isFirst: endFirst()
        case .first, .total: break
        }
        let demand = output.next(value)
        if demand == .pause { wait.pause() }
        return demand
    }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @usableFromInline
    mutating func endFirst() {
        isFirst = false
        wait.end()
    }

    @inlinable
    consuming func terminate(_ termination: Termination<UpstreamFailure>) {
        switch termination {
        case .completed: output.terminate(.completed)
        case .failed(let failure): output.terminate(.failed(convert(failure)))
        }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
