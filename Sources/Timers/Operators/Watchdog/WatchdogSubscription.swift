public import Bus
public import Synchronization

/// One subscription to a `watchdog`: when an event was last heard, and the timer that checks it.
///
/// The timer keeps it: a source that is gone is silent, too.
@usableFromInline
final class WatchdogSubscription<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable {
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let scheduler: Time
    /// Nanoseconds on the scheduler's clock. Written by the source's thread at each value and by the thread that
    /// makes room, read by the timer.
    @usableFromInline let heard: Atomic<Int64>
    /// There is no room for values, so nothing is watched until the output calls back.
    private let isPaused = Atomic<Bool>(false)
    private let watch: Lock<SilenceWatch>
    private let timer = SerialTimer()
    private let speak: @Sendable (Silence) -> Downstream.Value?

    @usableFromInline
    init(
        _ output: SerialObserver<Downstream>,
        _ duration: Int64,
        _ scheduler: Time,
        _ speak: @escaping @Sendable (Silence) -> Downstream.Value?
    ) {
        self.output = output
        self.scheduler = scheduler
        self.speak = speak
        let now = scheduler.now.nanoseconds
        heard = Atomic(now)
        watch = Lock(SilenceWatch(interval: duration, heard: now))
        output.resources.add(timer)
    }

    deinit {
        output.abandon()
    }

    @usableFromInline
    func arm() {
        let deadline = watch.withLock { $0.deadline }
        timer.schedule(at: TimerInstant(nanoseconds: deadline), on: scheduler) { self.fire() }
    }

    private func fire() {
        // Checked in its turn: values that are being delivered are heard.
        output.perform { _, _ in
            guard !self.output.isClosing else { return }
            if self.output.demand == .pause { self.pause() }
            // The end of the pause sets the timer.
            if self.isPaused.load(ordering: .acquiring) { return }
            let now = self.scheduler.now.nanoseconds
            let heard = self.heard.load(ordering: .relaxed)
            let silence = self.watch.withLock { $0.look(heard: heard, at: now) }
            // It is delivered in the same way as a value, and its answer has the same effects.
            if let silence, let value = self.speak(silence) { _ = self.output.next(value) }
            self.arm()
        }
    }

    /// The source is told to send nothing for now, and its silence does not count.
    @usableFromInline
    func pause() {
        guard !isPaused.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if output.whenReady({ self.resume() }) == .more { resume() }
    }

    private func resume() {
        heard.store(scheduler.now.nanoseconds, ordering: .relaxed)
        isPaused.store(false, ordering: .releasing)
        arm()
    }
}
