import DequeModule

/// What stands between a signal and the task that walks it.
final class ValueBuffer<Value: Sendable, Failure: Error>: Sendable {
    private struct State: Sendable {
        var queue: HandoverQueue<Value, Failure>
        /// What was taken out of the queue together and is yet to be given to the task.
        var ready = HandoverQueue<Value, Failure>.Batch()
        var lost = 0
        var isCancelled = false
        /// The task, while nothing is there for it.
        var waiter: CheckedContinuation<Void, Never>?
        /// Why the source was told to pause, if it was.
        var pause = Pause.none
        /// The source is being subscribed to or called, on the task's own thread.
        var isCalling = false
        /// What the source left to be called.
        var resume: (@Sendable () -> Void)?

        var demand: Demand {
            if isCancelled { return .stop }
            return pause == .none ? .more : .pause
        }
    }

    private enum Pause: Sendable {
        case none
        /// The queue is full.
        case full
        /// It has no thread of its own, and sends on the task's. It is asked for one value at a time, so that the task has
        /// the first before the second is made.
        case pulled
    }

    private let state: Lock<State>

    init(queue: HandoverQueue<Value, Failure>) {
        state = Lock(State(queue: queue))
    }

    /// How many values were lost so far.
    var lost: Int { state.withLock { $0.lost + $0.queue.batch.lost } }

    var demand: Demand { state.withLock { $0.demand } }

    // MARK: The signal's side

    func next(_ value: Value) -> Demand {
        change { state in
            if state.isCancelled { return .stop }
            switch state.queue.append(value) {
            case .accepted: if state.isCalling { state.pause = .pulled }
            case .full: state.pause = state.isCalling ? .pulled : .full
            case .closed: return .stop
            }
            return state.demand
        }
    }

    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let (demand, previous) = state.withLock { state -> (Demand, (@Sendable () -> Void)?) in
            // The task waits already: a source with a thread of its own, which happened to send while another was called.
            if state.pause == .pulled, state.waiter != nil, !state.isCalling { state.pause = .none }
            guard state.demand == .pause else { return (state.demand, nil) }
            defer { state.resume = resume }
            return (.pause, state.resume)
        }
        // Let go of here, not under the lock.
        withExtendedLifetime(previous) {}
        return demand
    }

    func lost(_ count: Int) {
        state.withLock { $0.lost += count }
    }

    func terminate(_ termination: Termination<Failure>) {
        change { $0.queue.terminate(termination) }
    }

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
            if pull() { continue }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state -> Bool in
                    guard state.queue.isEmpty, !state.isCancelled else { return true }
                    if state.pause == .pulled, state.resume != nil { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    private func takeReady() -> Event<Value, Failure>? {
        let (event, resume) = state.withLock { state -> (Taken, (@Sendable () -> Void)?) in
            if state.isCancelled { return (.end(.completed), nil) }
            var resume: (@Sendable () -> Void)?
            if state.ready.values.isEmpty, state.ready.termination == nil, !state.queue.isEmpty {
                state.ready = state.queue.take()
                state.lost += state.ready.lost
                if state.pause == .full {
                    state.pause = .none
                    resume = state.resume.take()
                }
            }
            if let value = state.ready.values.popFirst() { return (.value(value), resume) }
            // The end stays, so that asking again gets the same answer.
            return (state.ready.termination == nil ? .nothing : .batchEnd(state.ready), resume)
        }
        resume?()
        return switch event {
        case .value(let value): .next(value)
        case .end(let termination): Event(termination)
        // Made without the lock, for a failure is made by foreign code.
        case .batchEnd(let batch): batch.end.map { Event($0) }
        case .nothing: nil
        }
    }

    /// Calls a source that sends on the task's thread, when nothing is there for the task. False when there is none.
    private func pull() -> Bool {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.pause == .pulled, let resume = state.resume.take() else { return nil }
            state.pause = .none
            state.isCalling = true
            return resume
        }
        guard let resume else { return false }
        resume()
        state.withLock { $0.isCalling = false }
        return true
    }

    /// Runs what subscribes, in which a source without a thread of its own sends its first value.
    func subscribing(_ subscribe: () -> any Disposable) -> any Disposable {
        state.withLock { $0.isCalling = true }
        defer { state.withLock { $0.isCalling = false } }
        return subscribe()
    }

    private enum Taken: Sendable {
        case value(Value)
        case end(Termination<Failure>)
        case batchEnd(HandoverQueue<Value, Failure>.Batch)
        case nothing
    }

    func cancel() {
        let resume = change { state -> (@Sendable () -> Void)? in
            state.isCancelled = true
            return state.resume.take()
        }
        // Let go of here, not under the lock.
        withExtendedLifetime(resume) {}
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

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { buffer.whenReady(resume) }
}
