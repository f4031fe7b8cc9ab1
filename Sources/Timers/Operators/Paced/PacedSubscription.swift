public import Bus

/// One subscription to an operator whose values wait in a queue: the source fills the queue, the timer empties it.
///
/// Both keep it. When the source is dropped, values in the queue still come at their time, and then the chain is freed.
///
/// One caller at a time serves the queue: the timer or, while the observer pauses, the caller that calls back and sets
/// the timer again.
@usableFromInline
final class PacedSubscription<Pacing: Pace, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Queue = PacedQueue<Value, Failure, Pacing>

    /// After so many values in a row other work on the scheduler runs.
    private static var burst: Int { 256 }

    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let scheduler: Time
    @usableFromInline let queue: Lock<Queue>
    /// No value may wait here, so the source pauses while the observer does.
    @usableFromInline let holdsNoValue: Bool
    private let timer = SerialTimer()

    @usableFromInline
    init(_ output: SerialObserver<Downstream>, _ queue: Queue, _ scheduler: Time) {
        self.output = output
        self.scheduler = scheduler
        holdsNoValue = queue.limit == 0
        let queue = Lock(queue)
        self.queue = queue
        output.resources.add(timer)
        // The closure that a paused source leaves in the queue may keep this object.
        output.resources.add(ActionDisposable { _ = queue.withLock { $0.close() } })
    }

    deinit {
        _ = queue.withLock { $0.close() }
        output.abandon()
    }

    // MARK: The source's side

    @inlinable
    func next(_ value: Value) -> Demand {
        let demand = output.demand
        guard demand != .stop else { return .stop }
        let now = scheduler.now.nanoseconds
        switch queue.withLock({ $0.append(value, at: now, isReady: demand == .more) }) {
        // When the observer pauses after this, the queue has free capacity, if it ever has.
        case .passes:
            let answer = output.next(value)
            return answer == .stop || holdsNoValue ? answer : .more
        case .queued(let deadline, _):
            if let deadline { arm(at: deadline) }
            return holdsNoValue ? output.demand : .more
        case .full(let deadline):
            if let deadline { arm(at: deadline) }
            return .pause
        case .closed(let deadline):
            if let deadline { arm(at: deadline) }
            return .stop
        }
    }

    @usableFromInline
    func lost(_ count: Int) {
        let now = scheduler.now.nanoseconds
        if case .queued(let deadline?, _) = queue.withLock({ $0.lost(count, at: now) }) { arm(at: deadline) }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        // A source that was asked to stop only confirms it.
        guard !output.isClosing else { return output.terminate(termination) }
        let now = scheduler.now.nanoseconds
        switch queue.withLock({ $0.end(termination, at: now) }) {
        case .passes: output.terminate(termination)
        case .queued(let deadline, _), .full(let deadline): if let deadline { arm(at: deadline) }
        case .closed: break
        }
    }

    /// Ends without waiting for the values in the queue.
    @usableFromInline
    func terminateNow(_ termination: Termination<Failure>) {
        // Released after the lock: the deinitialisers of the values may run any code.
        _ = queue.withLock { $0.close() }
        output.terminate(termination)
    }

    @usableFromInline
    var demand: Demand {
        if output.isClosing { return .stop }
        if holdsNoValue { return output.demand }
        return queue.withLock { $0.isFull } ? .pause : .more
    }

    @usableFromInline
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        if holdsNoValue { return output.whenReady(resume) }
        let demand = queue.whenReady(resume) { $0.isCrowded ? .pause : .more }
        return output.isClosing ? .stop : demand
    }

    // MARK: The timer's side

    @usableFromInline
    func arm(at deadline: Int64) {
        timer.schedule(at: TimerInstant(nanoseconds: deadline), on: scheduler) { self.serve() }
    }

    private func serve() {
        let now = scheduler.now.nanoseconds
        var demand = output.demand
        for _ in 0..<Self.burst {
            let (taken, resume) = queue.withLock { queue -> (Queue.Taken, (@Sendable () -> Void)?) in
                (queue.take(at: now, isReady: demand != .pause), queue.takeResume())
            }
            switch taken {
            case .nothing: return
            case .later(let deadline): return arm(at: deadline)
            case .heldUp:
                demand = output.whenReady { self.arm(at: self.scheduler.now.nanoseconds) }
                if demand == .pause { return }
                if demand == .stop { return terminateNow(.completed) }
            case .now(.lost(let count)): output.lost(count)
            case .now(.end(let termination)): return output.terminate(termination)
            case .now(.overflow(let makeFailure, let lost)): return output.terminate(.failed(makeFailure(lost)))
            case .now(.next(let value)):
                demand = output.next(value)
                if demand == .stop { return terminateNow(.completed) }
                resume?()
            }
        }
        arm(at: now)
    }
}
