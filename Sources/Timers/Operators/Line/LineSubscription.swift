public import Bus

/// One subscription to an operator whose values stand in line: the source fills the line, the timer empties it.
///
/// Both keep it. When the source is dropped, what stands in line still comes at its time, and then the chain is freed.
@usableFromInline
final class LineSubscription<Step: Pace, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Line = WaitingLine<Value, Failure, Step>

    /// After so many values on end others on the scheduler have their turn.
    private static var burst: Int { 256 }

    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let scheduler: Time
    @usableFromInline let line: Lock<Line>
    @usableFromInline let room = WaitingRoom()
    private let timer = SerialTimer()

    @usableFromInline
    init(_ output: SerialObserver<Downstream>, _ line: Line, _ scheduler: Time) {
        self.output = output
        self.scheduler = scheduler
        self.line = Lock(line)
        output.resources.add(timer)
        // Wakes a source that waits for room when the subscription ends under it.
        output.resources.add(ActionDisposable { [room] in room.wake() })
    }

    deinit {
        output.abandon()
    }

    // MARK: The source's side

    @inlinable
    func next(_ value: Value) -> Demand {
        guard !output.isClosing else { return .stop }
        var arrival = Line.Arrival.mustWait
        let admission = room.admit(
            mayWait: { !scheduler.isCurrent },
            isClosed: { output.isClosing },
            attempt: {
                let now = scheduler.now.nanoseconds
                arrival = line.withLock { $0.append(value, at: now) }
                if case .mustWait = arrival { return false }
                return true
            }
        )
        switch admission {
        case .closed: return .stop
        case .refused: lost(1)
        case .admitted:
            switch arrival {
            case .passes: return output.next(value)
            case .closed: return .stop
            case .queued(let deadline, _): if let deadline { arm(at: deadline) }
            case .mustWait: break
            }
        }
        return output.demand
    }

    @usableFromInline
    func lost(_ count: Int) {
        let now = scheduler.now.nanoseconds
        if case .queued(let deadline?, _) = line.withLock({ $0.lost(count, at: now) }) { arm(at: deadline) }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        // Told to stop, the source only confirms it.
        guard !output.isClosing else { return output.terminate(termination) }
        let now = scheduler.now.nanoseconds
        switch line.withLock({ $0.end(termination, at: now) }) {
        case .passes: output.terminate(termination)
        case .queued(let deadline, _): if let deadline { arm(at: deadline) }
        case .mustWait, .closed: break
        }
    }

    /// Ends without waiting for what stands in line.
    @usableFromInline
    func terminateNow(_ termination: Termination<Failure>) {
        // Released after the lock: what the values hold may be anybody's.
        _ = line.withLock { $0.close() }
        output.terminate(termination)
    }

    // MARK: The timer's side

    @usableFromInline
    func arm(at deadline: Int64) {
        timer.schedule(at: TimerInstant(nanoseconds: deadline), on: scheduler) { self.serve() }
    }

    private func serve() {
        let now = scheduler.now.nanoseconds
        for _ in 0..<Self.burst {
            switch line.withLock({ $0.take(at: now) }) {
            case .nothing: return
            case .later(let deadline): return arm(at: deadline)
            case .now(.lost(let count)): output.lost(count)
            case .now(.end(let termination)): return output.terminate(termination)
            case .now(.next(let value)):
                room.wake()
                guard output.next(value) == .more else { return terminateNow(.completed) }
            }
        }
        arm(at: now)
    }
}
