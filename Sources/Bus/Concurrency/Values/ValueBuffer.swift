import DequeModule

/// The buffer between a signal and the task that walks it.
final class ValueBuffer<Value: Sendable, Failure: Error>: Sendable {
    private struct State: ResumeSlot, Sendable {
        var queue: LossyQueue<Value, Failure>
        /// The batch taken out of the queue, whose values are yet to be given to the task.
        var ready = LossyQueue<Value, Failure>.Batch()
        /// How many values of the earlier batches were lost, and of `ready` as far as the task knows of it.
        var lost = 0
        /// How many values of `ready` the task has.
        var position = 0
        var isCancelled = false
        /// The source was dropped without an end.
        var isAbandoned = false
        /// The waiting task, while nothing is there for it.
        var waiter: CheckedContinuation<Void, Never>?
        /// Why the source was told to pause, if it was.
        var pause = Pause.none
        /// The task's own thread while it subscribes to the source or calls it, else 0.
        var caller: UInt = 0
        /// The closure that the paused source left to be called.
        var resume: (@Sendable () -> Void)?
        /// The subscriber of a bus whose end waits here; it is done when the task has taken the end.
        var listener: Listener?

        var demand: Demand {
            if isCancelled { return .stop }
            return pause == .none ? .more : .pause
        }

        /// Whether the source sends on the task's thread, called from there. Another thread may send at the same time.
        var isCalled: Bool { caller != 0 && caller == pthreadSelf() }
    }

    private enum Pause: Sendable {
        case none
        /// The queue is full.
        case full
        /// The source has no thread of its own, and sends on the task's. It is asked for one value at a time, so that
        /// the task has the first before the second is made.
        case pulled
    }

    private let state: Lock<State>

    init(queue: LossyQueue<Value, Failure>) {
        state = Lock(State(queue: queue))
    }

    deinit {
        dropListener()
    }

    var demand: Demand { state.withLock { $0.demand } }

    /// How many values were lost so far, whether or not the task has come to the point where they are missing.
    var lost: Int { state.withLock { $0.lost + $0.ready.lost + $0.queue.lost } }

    // MARK: The signal's side

    func next(_ value: Value) -> Demand {
        change { state in
            if state.isCancelled { return .stop }
            switch state.queue.append(value) {
            case .accepted: if state.isCalled { state.pause = .pulled }
            case .full: state.pause = state.isCalled ? .pulled : .full
            case .closed: return .stop
            }
            return state.demand
        }
    }

    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        state.whenReady(resume) { state in
            // The task waits already: this source has a thread of its own, and happened to send while another source
            // was called.
            if state.pause == .pulled, state.waiter != nil, state.caller == 0 { state.pause = .none }
            return state.demand
        }
    }

    func lost(_ count: Int) {
        change { $0.queue.lose(count) }
    }

    func terminate(_ termination: Termination<Failure>) {
        let listener = Listener.ending
        listener?.waits { [state] in state.withLock { $0.queue.waiting + $0.ready.values.count } }
        change { state in
            state.queue.terminate(termination)
            if !state.isCancelled { state.listener = listener }
        }
    }

    /// The source was dropped: no further event can come.
    func abandon() {
        change { state in
            guard !state.queue.isClosed else { return }
            state.isAbandoned = true
            state.queue.terminate(.completed)
        }
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

    /// A value, nil at the end, or the reason why there is neither.
    typealias Received = Result<Value?, ReceiveError<Failure>>

    /// The next value, loss or end, as soon as there is one.
    func take(isolation actor: isolated (any Actor)?) async -> Received {
        while true {
            if let received = takeReady() { return received }
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

    private func takeReady() -> Received? {
        let (taken, resume) = state.withLock { state -> (Taken, (@Sendable () -> Void)?) in
            if state.isCancelled { return (.received(.failure(.cancelled)), nil) }
            let resume = state.ready.isEmpty ? refill(&state) : nil
            let missing = state.ready.notes.gaps.take(before: state.position)
            state.lost += missing
            if missing > 0 { return (.received(.failure(.lost(missing))), resume) }
            if let value = state.ready.values.popFirst() {
                state.position += 1
                return (.received(.success(value)), resume)
            }
            // The end stays, so that asking again gets the same answer.
            guard let end = state.ready.notes.end else { return (.nothing, resume) }
            return (state.isAbandoned ? .received(.failure(.abandoned)) : .end(end), resume)
        }
        resume?()
        switch taken {
        case .nothing: return nil
        case .received(let received): return received
        case .end(let end):
            dropListener()
            guard case .failed(let failure) = end.termination else { return .success(nil) }
            return .failure(.failed(failure))
        }
    }

    /// Takes out everything that waits. Returns the closure that calls the source, if the source was told to pause
    /// because the queue was full.
    private func refill(_ state: inout State) -> (@Sendable () -> Void)? {
        guard !state.queue.isEmpty else { return nil }
        state.ready = state.queue.take()
        state.position = 0
        guard state.pause == .full else { return nil }
        state.pause = .none
        return state.resume.take()
    }

    /// Calls a source that sends on the task's thread, when nothing is there for the task. False when there is no
    /// such source.
    private func pull() -> Bool {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.pause == .pulled, let resume = state.resume.take() else { return nil }
            state.pause = .none
            state.caller = pthreadSelf()
            return resume
        }
        guard let resume else { return false }
        resume()
        state.withLock { $0.caller = 0 }
        return true
    }

    /// Runs `subscribe`, in which a source without a thread of its own sends its first value.
    func subscribing(_ subscribe: () -> any Disposable) -> any Disposable {
        state.withLock { $0.caller = pthreadSelf() }
        defer { state.withLock { $0.caller = 0 } }
        return subscribe()
    }

    private enum Taken: Sendable {
        case received(Received)
        case end(HandoverEnd<Failure>)
        case nothing
    }

    func cancel() {
        let resume = change { state -> (@Sendable () -> Void)? in
            state.isCancelled = true
            return state.resume.take()
        }
        withExtendedLifetime(resume) {}
        dropListener()
    }

    private func dropListener() {
        let listener = state.withLock { $0.listener.take() }
        withExtendedLifetime(listener) {}
    }
}

struct ValueBufferObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    private let buffer: ValueBuffer<Value, Failure>
    private let lease: SubscriptionLease
    /// Ends the walk when the source was dropped without an end, and nothing will come any more.
    private let hold: LastCall

    init(_ buffer: ValueBuffer<Value, Failure>, lease: consuming SubscriptionLease) {
        self.buffer = buffer
        self.lease = lease
        hold = LastCall { buffer.abandon() }
    }

    mutating func next(_ value: Value) -> Demand { buffer.next(value) }

    mutating func lost(_ count: Int) { buffer.lost(count) }

    consuming func terminate(_ termination: Termination<Failure>) { buffer.terminate(termination) }

    var demand: Demand { buffer.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { buffer.whenReady(resume) }
}
