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
    /// All starts go through here, so that there is one at a time and a synchronous signal does not start the next one
    /// on its own stack.
    @usableFromInline let starts = Trampoline()
    /// Whether the values are to be told that they wait.
    @usableFromInline let tellsWaiting = Element.self is any TurnWaiting.Type

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
    }

    deinit {
        output.abandon()
    }

    @inlinable
    func outerNext(_ value: Element) -> Demand {
        if output.isClosing { return .stop }
        let (arrival, isFull) = turns.withLock { turns in
            let arrival = turns.arrived(value)
            return (arrival, turns.isFull)
        }
        switch arrival {
        case .accepted:
            startWaiting()
            if tellsWaiting { tellWaiting([value]) }
        // The source goes on though it was told to pause.
        case .full: output.lose()
        case .ignored: break
        }
        return isFull ? outerDemand : output.isClosing ? .stop : .more
    }

    /// What is wanted of the source: values wait here while the output pauses.
    @usableFromInline
    var outerDemand: Demand {
        if output.isClosing { return .stop }
        return turns.withLock { $0.isFull } ? .pause : .more
    }

    @usableFromInline
    func outerWaits(_ resume: @escaping @Sendable () -> Void) -> Demand {
        if output.isClosing { return .stop }
        let (demand, previous) = turns.withLock { turns -> (Demand, (@Sendable () -> Void)?) in
            guard turns.isCrowded else { return (.more, nil) }
            defer { turns.resume = resume }
            return (.pause, turns.resume)
        }
        // Let go of here, not under the lock.
        withExtendedLifetime(previous) {}
        return demand
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
            while !output.isClosing, outputIsReady(), let transform = transform.withLock({ $0 }) {
                let (value, resume) = turns.withLock { turns in
                    let value = turns.takeTurn()
                    return (value, turns.takeResume())
                }
                resume?()
                guard let value else { break }
                let key = inners.start()
                if tellsWaiting { tellWaiting(turns.withLock { $0.line }) }
                inners.started(key, transform(value).subscribe(QueueingInnerObserver(self, key)))
            }
        }
        if turns.withLock({ $0.outerIsGone }) { giveUpTransformIfUnneeded() }
    }

    /// Tells groups, whose source pauses until they are subscribed to, that this waits for others to end first.
    @usableFromInline
    func tellWaiting(_ values: [Element]) {
        guard turns.withLock({ $0.isBusy }) else { return }
        for value in values { (value as? any TurnWaiting)?.waitForTurn() }
    }

    /// Whether the next signal may start; while the output pauses, it calls back when there is one to start.
    @usableFromInline
    func outputIsReady() -> Bool {
        guard output.demand == .pause else { return true }
        let isFirst = turns.withLock { turns -> Bool in
            guard turns.hasTurn, !turns.awaitsOutput else { return false }
            turns.awaitsOutput = true
            return true
        }
        guard isFirst else { return false }
        let answer = output.whenReady { [self] in
            turns.withLock { $0.awaitsOutput = false }
            startWaiting()
        }
        if answer == .pause { return false }
        turns.withLock { $0.awaitsOutput = false }
        return true
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
    var demand: Demand { queueing.outerDemand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { queueing.outerWaits(resume) }
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
