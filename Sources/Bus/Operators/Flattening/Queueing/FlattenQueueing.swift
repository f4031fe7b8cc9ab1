/// One subscription to signals that wait for their turn: performs what ``FlattenTurns`` decides.
@usableFromInline
final class FlattenQueueing<Element: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Sendable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let inners = InnerHandles()
    @usableFromInline let turns: Lock<FlattenTurns<Element>>
    /// Given up once no further value can need it: it may hold the very signals that feed what it made, and then the two
    /// would keep each other.
    @usableFromInline let transform: Lock<(@Sendable (Element) -> Inner)?>
    @usableFromInline let room = WaitingRoom()
    /// All starts go through here, so that there is one at a time and a synchronous signal does not start the next one
    /// on its own stack.
    @usableFromInline let starts = Trampoline()

    @inlinable
    init(
        _ output: SerialObserver<Downstream>,
        _ turns: FlattenTurns<Element>,
        _ transform: @escaping @Sendable (Element) -> Inner
    ) {
        self.output = output
        self.turns = Lock(turns)
        self.transform = Lock(transform)
        output.resources.add(inners)
        // Wakes a source that waits for its turn when the subscription ends under it.
        output.resources.add(ActionDisposable { [room] in room.wake() })
    }

    deinit {
        output.abandon()
    }

    @inlinable
    func outerNext(_ value: Element) -> Demand {
        if output.isClosing { return .stop }
        var arrival = turns.withLock { $0.arrived(value) }
        if arrival == .full { arrival = waitForTurn(value) }
        if arrival == .accepted { startWaiting() }
        return output.demand
    }

    /// Waits until the value can wait in line, where this thread may wait; else the value is lost.
    @usableFromInline
    func waitForTurn(_ value: Element) -> FlattenTurns<Element>.Arrival {
        let admission = room.admit(
            mayWait: { true },
            isClosed: { output.isClosing },
            attempt: { turns.withLock { $0.arrived(value) } != .full }
        )
        switch admission {
        case .admitted: return .accepted
        case .closed: return .full
        case .refused:
            output.lose()
            return .full
        }
    }

    @usableFromInline
    func outerCompleted() {
        let isDone = turns.withLock { turns -> Bool in
            turns.outerIsDone = true
            turns.outerIsGone = true
            return turns.isDone
        }
        giveUpTransformIfUnneeded()
        if isDone || output.isClosing { output.terminate(.completed) }
    }

    /// The source was let go of, ended or not: no further value comes.
    func outerGone() {
        turns.withLock { $0.outerIsGone = true }
        giveUpTransformIfUnneeded()
    }

    @usableFromInline
    func giveUpTransformIfUnneeded() {
        guard turns.withLock({ $0.outerIsGone && $0.waiting.isEmpty }) else { return }
        // Released after the lock is: what it holds may be anybody's.
        let unneeded = transform.withLock { transform -> (@Sendable (Element) -> Inner)? in transform.take() }
        withExtendedLifetime(unneeded) {}
    }

    @inlinable
    func innerCompleted(_ key: InnerHandles.Key) {
        inners.ended(key)
        let isDone = turns.withLock { $0.ended() }
        if isDone || output.isClosing {
            output.terminate(.completed)
        } else {
            startWaiting()
        }
    }

    @inlinable
    func startWaiting() {
        starts.run {
            // The transform first: it is not given up while a value waits, and may be once none does.
            while !output.isClosing, let transform = transform.withLock({ $0 }),
                let value = turns.withLock({ $0.takeTurn() })
            {
                room.wake()
                let key = inners.start()
                inners.started(key, transform(value).subscribe(QueueingInnerObserver(self, key)))
            }
        }
        if turns.withLock({ $0.outerIsGone }) { giveUpTransformIfUnneeded() }
    }
}

/// Held by the outer observer: says when the source has let go of it.
@usableFromInline
final class QueueingOuterLease<Element: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Sendable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    private let queueing: FlattenQueueing<Element, Inner, Downstream>

    @usableFromInline
    init(_ queueing: FlattenQueueing<Element, Inner, Downstream>) {
        self.queueing = queueing
    }

    deinit {
        queueing.outerGone()
    }
}

/// Hears the values that are to become signals.
@frozen
@usableFromInline
struct QueueingOuterObserver<Value: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let queueing: FlattenQueueing<Value, Inner, Downstream>
    @usableFromInline let lease: QueueingOuterLease<Value, Inner, Downstream>

    @inlinable
    init(_ queueing: FlattenQueueing<Value, Inner, Downstream>) {
        self.queueing = queueing
        lease = QueueingOuterLease(queueing)
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { queueing.outerNext(value) }

    @inlinable
    mutating func lost(_ count: Int) { queueing.output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: queueing.outerCompleted()
        case .failed: queueing.output.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { queueing.output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { queueing.output.whenReady(resume) }
}

/// Hears one inner signal.
@frozen
@usableFromInline
struct QueueingInnerObserver<Element: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let queueing: FlattenQueueing<Element, Inner, Downstream>
    // Beside `queueing`, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let key: InnerHandles.Key

    @inlinable
    init(_ queueing: FlattenQueueing<Element, Inner, Downstream>, _ key: InnerHandles.Key) {
        self.queueing = queueing
        output = queueing.output
        self.key = key
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: queueing.innerCompleted(key)
        case .failed: output.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
