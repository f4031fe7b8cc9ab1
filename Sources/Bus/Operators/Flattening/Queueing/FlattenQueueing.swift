/// One subscription to signals that wait to start: performs the decisions of ``FlattenQueue``.
@usableFromInline
final class FlattenQueueing<Element: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Sendable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline typealias Make = @Sendable (Element) -> Inner

    @frozen
    @usableFromInline
    struct State: ResumeSlot, Sendable {
        @usableFromInline var queue: FlattenQueue<Element>
        /// Released once no further value can need it: it may hold the very signals that feed the signal it made, and
        /// then the two would keep each other.
        @usableFromInline var make: Make?

        @inlinable
        init(_ queue: FlattenQueue<Element>, _ make: @escaping Make) {
            self.queue = queue
            self.make = make
        }

        @usableFromInline package var resume: (@Sendable () -> Void)? {
            get { queue.resume }
            set { queue.resume = newValue }
        }

        /// Releases the closure that makes signals, if no further value can need it.
        @inlinable
        mutating func takeUnneeded() -> Make? { queue.expectsNothing ? make.take() : nil }
    }

    /// A signal to start.
    @frozen
    @usableFromInline
    struct Start: Sendable {
        @usableFromInline let next: FlattenQueue<Element>.Next
        @usableFromInline let make: Make
        /// Lets the source go on.
        @usableFromInline let resume: (@Sendable () -> Void)?

        @inlinable
        init(_ next: FlattenQueue<Element>.Next, _ make: @escaping Make, resume: (@Sendable () -> Void)?) {
            self.next = next
            self.make = make
            self.resume = resume
        }
    }

    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let inners = InnerHandles()
    @usableFromInline let state: Lock<State>
    /// All starts go through here, so that there is one at a time and a synchronous signal does not start the next one
    /// on its own stack.
    @usableFromInline let starts = Trampoline()
    /// Whether values wait only while the output pauses.
    @usableFromInline let startsAll: Bool
    /// Whether to tell the values that they wait.
    @usableFromInline let notifiesWaiting = Element.self is any StartWaiting.Type

    @inlinable
    init(
        _ output: SerialObserver<Downstream>,
        _ queue: FlattenQueue<Element>,
        _ make: @escaping Make
    ) {
        self.output = output
        startsAll = queue.startsAll
        state = Lock(State(queue, make))
        output.resources.add(inners)
    }

    deinit {
        output.abandon()
    }

    @inlinable
    func outerNext(_ value: Element) -> Demand {
        if output.isClosing { return .stop }
        guard starts.enter() else { return outerWaitsInQueue(value) }
        let isStarted = startAtOnce(value)
        if !starts.leave(taking: { startWaiting() }) { handOn() }
        guard isStarted else { return outerWaitsInQueue(value) }
        if startsAll { return output.demand }
        return output.isClosing ? .stop : .more
    }

    /// Starts a value's signal if none is before it.
    @inlinable
    func startAtOnce(_ value: Element) -> Bool {
        guard output.demand == .more else { return false }
        guard let make = state.withLock({ $0.queue.startAtOnce() ? $0.make : nil }) else { return false }
        start(value, make)
        return true
    }

    @inlinable
    func outerWaitsInQueue(_ value: Element) -> Demand {
        let (arrival, isFull) = state.withLock { state in (state.queue.arrived(value), state.queue.isFull) }
        switch arrival {
        case .accepted:
            runStarts()
            if notifiesWaiting { notifyWaiting() }
        // The source goes on though it was told to pause, and hears of it where the value is missing.
        case .lost: break
        case .ignored: break
        }
        return isFull ? outerDemand : output.isClosing ? .stop : .more
    }

    /// The demand for the source: values wait here while the output pauses.
    @usableFromInline
    var outerDemand: Demand {
        if output.isClosing { return .stop }
        if startsAll, output.demand == .pause { return .pause }
        return state.withLock { $0.queue.isFull } ? .pause : .more
    }

    /// Values of the source are missing, behind those that wait.
    @usableFromInline
    func outerLost(_ count: Int) {
        if !state.withLock({ $0.queue.lost(count) }) { output.lost(count) }
    }

    @usableFromInline
    func outerWaits(_ resume: @escaping @Sendable () -> Void) -> Demand {
        if output.isClosing { return .stop }
        let demand = state.whenReady(resume) { $0.queue.isCrowded ? .pause : .more }
        return demand == .more && startsAll ? output.whenReady(resume) : demand
    }

    @usableFromInline
    func outerCompleted() {
        let (isDone, unneeded) = state.withLock { state -> (Bool, Make?) in
            state.queue.outerIsDone = true
            state.queue.outerIsGone = true
            return (state.queue.isDone, state.takeUnneeded())
        }
        // Released here, not under the lock: its captures may run any code.
        withExtendedLifetime(unneeded) {}
        if isDone || output.isClosing { output.terminate(.completed) }
    }

    /// The source was released, ended or not: no further value comes.
    @usableFromInline
    func abandon() {
        let unneeded = state.withLock { state -> Make? in
            state.queue.outerIsGone = true
            return state.takeUnneeded()
        }
        withExtendedLifetime(unneeded) {}
    }

    @inlinable
    func innerCompleted(_ key: InnerHandles.Key) {
        inners.ended(key)
        let (isDone, mayStart) = state.withLock { state in (state.queue.ended(), state.queue.mayStartNext) }
        if isDone || output.isClosing {
            output.terminate(.completed)
        } else if mayStart {
            runStarts()
        }
    }

    /// Starts waiting signals, here or, if a start is under way, after it.
    @usableFromInline
    func runStarts() {
        if starts.ask() { takeStarts() }
    }

    private func takeStarts() {
        if !(startWaiting() && starts.leave(taking: { startWaiting() })) { handOn() }
    }

    /// Leaves the signals that wait to the package's thread, which is in the round of `starts` from now on.
    @usableFromInline
    func handOn() {
        DeliveryThread.run { [self] in takeStarts() }
    }

    /// Starts waiting signals, as far as there are places. Called in a round of `starts`.
    ///
    /// - Returns: false when values of other threads are left that the caller's budget does not allow to start.
    @usableFromInline
    func startWaiting() -> Bool {
        guard state.withLock({ $0.queue.mayStartNext }) else { return true }
        let budget = DeliveryBudget(.sender)
        let thread = pthreadSelf()
        while !output.isClosing, outputIsReady() {
            let isSpent = budget.isSpent
            let (start, isForeign) = state.withLock { state in
                let isForeign = state.queue.nextIsForeign(to: thread)
                return (isForeign && isSpent ? nil : takeNext(&state), isForeign)
            }
            guard let start else { return !(isForeign && isSpent) }
            start.resume?()
            if notifiesWaiting { notifyWaiting() }
            if start.next.missing > 0 { output.lost(start.next.missing) }
            self.start(start.next.value, start.make)
            if start.next.missingBehind > 0 { output.lost(start.next.missingBehind) }
            if isForeign { budget.spend() }
        }
        return true
    }

    private func takeNext(_ state: inout State) -> Start? {
        guard let make = state.make, let next = state.queue.startNext() else { return nil }
        // The caller, which holds the closure too, releases it.
        _ = state.takeUnneeded()
        return Start(next, make, resume: state.queue.takeResume())
    }

    @inlinable
    func start(_ value: Element, _ make: Make) {
        let key = inners.start()
        inners.started(key, make(value).subscribe(QueueingInnerObserver(self, key)))
    }

    /// Tells groups, whose source pauses until they are subscribed to, that they wait for others to end first.
    @usableFromInline
    func notifyWaiting() {
        for value in state.withLock({ $0.queue.takeUnnotified() }) { (value as? any StartWaiting)?.waitToStart() }
    }

    /// Whether the next signal may start; while the output pauses, it calls back when there is one to start.
    @usableFromInline
    func outputIsReady() -> Bool {
        guard output.demand == .pause else { return true }
        let isFirst = state.withLock { state -> Bool in
            guard state.queue.mayStartNext, !state.queue.awaitsOutput else { return false }
            state.queue.awaitsOutput = true
            return true
        }
        guard isFirst else { return false }
        let answer = output.whenReady { [self] in
            state.withLock { $0.queue.awaitsOutput = false }
            runStarts()
        }
        if answer == .pause { return false }
        state.withLock { $0.queue.awaitsOutput = false }
        return true
    }
}

extension FlattenQueueing: Abandonable where Downstream: ~Copyable {}

/// Hears the values that are to become signals.
@frozen
@usableFromInline
struct QueueingOuterObserver<Value: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let queueing: FlattenQueueing<Value, Inner, Downstream>
    @usableFromInline let lease: DropGuard<FlattenQueueing<Value, Inner, Downstream>>

    @inlinable
    init(_ queueing: FlattenQueueing<Value, Inner, Downstream>) {
        self.queueing = queueing
        lease = DropGuard(queueing)
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { queueing.outerNext(value) }

    @inlinable
    mutating func lost(_ count: Int) { queueing.outerLost(count) }

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
struct QueueingInnerObserver<Element: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: InputObserver,
    ~Copyable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let queueing: FlattenQueueing<Element, Inner, Downstream>
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
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: queueing.innerCompleted(key)
        case .failed: output.terminate(termination)
        }
    }
}
