public import Bus
public import Synchronization

/// One subscription to a `watchdog`: when something was last heard, and the timer that looks at it.
///
/// The timer keeps it: a source that is gone is silent, too.
@usableFromInline
final class WatchdogSubscription<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable {
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let scheduler: Time
    /// Nanoseconds on the scheduler's clock. Written by the source's thread at each value, read by the timer.
    @usableFromInline let heard: Atomic<Int64>
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
        // Looked at when it is its turn: values that are being delivered are heard.
        output.perform { downstream, _ in
            guard !self.output.isClosing else { return }
            let now = self.scheduler.now.nanoseconds
            let heard = self.heard.load(ordering: .relaxed)
            let silence = self.watch.withLock { $0.look(heard: heard, at: now) }
            if let silence, let value = self.speak(silence), downstream?.next(value) == .stop {
                self.output.stop()
                self.output.terminate(.completed)
            } else {
                self.arm()
            }
        }
    }
}
