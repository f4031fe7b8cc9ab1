import DequeModule

/// What stands between a signal and the task that walks it.
final class ValueBuffer<Value: Sendable, Failure: Error>: Sendable {
    private struct State: Sendable {
        var queue: HandoverQueue<Value, Failure>
        var ready = HandoverQueue<Value, Failure>.Batch()
        var lost = 0
        var isCancelled = false
        var waiter: CheckedContinuation<Void, Never>?
        /// Called once, when a value first finds the queue full.
        var whenFull: (@Sendable () -> Void)?
    }

    private let state: Lock<State>
    private let room = WaitingRoom()

    init(queue: HandoverQueue<Value, Failure>) {
        state = Lock(State(queue: queue))
    }

    var lost: Int { state.withLock { $0.lost + $0.queue.batch.lost } }

    var demand: Demand { state.withLock { $0.isCancelled } ? .stop : .more }

    // MARK: The signal's side

    func next(_ value: Value) -> Demand {
        var arrival = HandoverQueue<Value, Failure>.Arrival.closed
        let admission = room.admit(
            mayWait: {
                announceFull()
                return true
            },
            isClosed: { arrival == .closed },
            attempt: {
                arrival = change { $0.isCancelled ? .closed : $0.queue.append(value) }
                return arrival == .accepted
            }
        )
        switch admission {
        case .admitted: return .more
        case .closed: return .stop
        case .refused:
            lost(1)
            return .more
        }
    }

    func lost(_ count: Int) {
        state.withLock { $0.lost += count }
    }

    func terminate(_ termination: Termination<Failure>) {
        change { $0.queue.terminate(termination) }
    }

    func whenFull(_ announce: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenFull = announce }
    }

    private func announceFull() {
        let announce = state.withLock { state -> (@Sendable () -> Void)? in state.whenFull.take() }
        announce?()
    }

    /// Changes the state and wakes the task that waits, if there is something for it now.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, waiter) = state.withLock { state -> (Result, CheckedContinuation<Void, Never>?) in
            let result = body(&state)
            return (result, state.queue.isEmpty && !state.isCancelled ? nil : state.waiter.take())
        }
        waiter?.resume()
        return result
    }

    // MARK: The task's side

    /// The next value or the end, as soon as there is one.
    func take(isolation actor: isolated (any Actor)?) async -> Event<Value, Failure> {
        while true {
            if let event = takeReady() { return event }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state -> Bool in
                    guard state.queue.isEmpty, !state.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    private func takeReady() -> Event<Value, Failure>? {
        let (event, hasRoom) = state.withLock { state -> (Event<Value, Failure>?, Bool) in
            if state.isCancelled { return (.completed, false) }
            var hasRoom = false
            if state.ready.values.isEmpty, state.ready.termination == nil, !state.queue.isEmpty {
                state.ready = state.queue.take()
                state.lost += state.ready.lost
                hasRoom = true
            }
            if let value = state.ready.values.popFirst() { return (.next(value), hasRoom) }
            // The end stays, so that asking again gets the same answer.
            return (state.ready.termination.map { Event($0) }, hasRoom)
        }
        if hasRoom { room.wake() }
        return event
    }

    func cancel() {
        change { $0.isCancelled = true }
        room.wake()
    }
}

struct ValueBufferObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    private let buffer: ValueBuffer<Value, Failure>
    private let lease: SubscriptionLease
    /// Ends the loop when the source was dropped without an end, and nothing will come any more.
    private let hold: AwaitedHold

    init(_ buffer: ValueBuffer<Value, Failure>, lease: consuming SubscriptionLease) {
        self.buffer = buffer
        self.lease = lease
        hold = AwaitedHold { buffer.terminate(.completed) }
    }

    mutating func next(_ value: Value) -> Demand { buffer.next(value) }

    mutating func lost(_ count: Int) { buffer.lost(count) }

    consuming func terminate(_ termination: Termination<Failure>) { buffer.terminate(termination) }

    var demand: Demand { buffer.demand }
}
