public import Bus

/// One subscription to an operator that holds values back: the sender and the timer meet here.
///
/// Both keep it. The observer keeps it, too, while it has to report when it has room. When the source is dropped, the
/// held values are still sent at their time, and then the chain is freed.
@usableFromInline
final class HoldingSubscription<Step: HoldingStep, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where Step.Output == Downstream.Value {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let output: SerialObserver<HoldingStage<Step, Downstream>>
    @usableFromInline let scheduler: Time
    private let timer = SerialTimer()

    @usableFromInline
    init(_ output: SerialObserver<HoldingStage<Step, Downstream>>, _ scheduler: Time) {
        self.output = output
        self.scheduler = scheduler
        output.resources.add(timer)
    }

    deinit {
        output.abandon()
    }

    @usableFromInline
    func arm(at deadline: Int64) {
        timer.schedule(at: TimerInstant(nanoseconds: deadline), on: scheduler) { self.fire() }
    }

    private func fire() {
        perform { stage in stage?.wake(at: self.scheduler.now.nanoseconds, self) }
    }

    /// The observer, asked for the `number`th time, has room.
    func hasRoom(_ number: UInt) {
        perform { stage in stage?.hasRoom(number, at: self.scheduler.now.nanoseconds, self) }
    }

    /// Runs `action` in its turn; it returns stop when this was the last thing to do.
    private func perform(_ action: @escaping @Sendable (inout HoldingStage<Step, Downstream>?) -> Demand?) {
        output.perform { stage, _ in
            guard !self.output.isClosing, action(&stage) == .stop else { return }
            self.output.stop()
            self.output.terminate(.completed)
        }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        let now = scheduler.now.nanoseconds
        output.perform { stage, _ in
            // A source that was told to stop only confirms it.
            if self.output.isClosing || stage == nil { return self.output.terminate(termination) }
            if let end = stage?.end(termination, at: now, self) { self.output.terminate(end) }
        }
    }
}
