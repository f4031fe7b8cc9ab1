public import Bus

/// One subscription to a `window(every:)`: sets the timer for each window's end.
///
/// The timer keeps it, or the observer that has to report when it is ready for the next window. So it is not freed
/// with the source by itself: the observer of the source holds a `DropGuard`, which ends it then.
@usableFromInline
final class WindowSubscription<Element: Sendable, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where Downstream.Value == AnySignal<Element, Downstream.Failure> {
    @usableFromInline let output: SerialObserver<WindowStage<Element, Downstream>>
    @usableFromInline let scheduler: Time
    private let timer = SerialTimer()

    @usableFromInline
    init(_ output: SerialObserver<WindowStage<Element, Downstream>>, _ scheduler: Time) {
        self.output = output
        self.scheduler = scheduler
        output.resources.add(timer)
    }

    /// Opens the first window, as soon as the observer is ready for it, and each later one when its time has come.
    @usableFromInline
    func advance() {
        let now = scheduler.now.nanoseconds
        output.perform { stage, _ in
            guard !self.output.isClosing, var open = stage.take() else { return }
            var demand = open.roll(at: now, in: self.output)
            let deadline = open.deadline
            // Its time is over, and the observer pauses.
            let isLate = demand == .pause && deadline <= self.scheduler.now.nanoseconds
            if isLate {
                // While there is no window, the values that wait for one wait for the same call.
                let waiting = open.window == nil ? open.resume : nil
                demand = open.downstream.whenReady {
                    waiting?.call()
                    self.advance()
                }
            }
            stage = consume open
            if demand == .stop {
                self.output.stop()
                self.output.terminate(.completed)
            } else if demand == .more || !isLate {
                self.timer.schedule(at: TimerInstant(nanoseconds: deadline), on: self.scheduler) { self.advance() }
            }
        }
    }
}

extension WindowSubscription: Abandonable where Downstream: ~Copyable {
    @usableFromInline
    func abandon() {
        timer.dispose()
        output.abandon()
    }
}
