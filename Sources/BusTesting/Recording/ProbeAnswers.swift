import Bus

/// The answers of the subscriptions to a source's values, the subscriptions that pause, and the closure to call when
/// none does.
final class ProbeAnswers: Sendable {
    private struct State: Sendable {
        var last: Demand?
        var pauses = 0
        var callbacks = 0
        var repeatedCallbacks = 0
        var lastID = 0
        /// The subscriptions that pause.
        var paused: Set<Int> = []
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    var last: Demand? { state.withLock { $0.last } }
    var pauses: Int { state.withLock { $0.pauses } }
    var callbacks: Int { state.withLock { $0.callbacks } }
    /// Requests that were called back more than once, which no request may be.
    var repeatedCallbacks: Int { state.withLock { $0.repeatedCallbacks } }
    var isPaused: Bool { state.withLock { !$0.paused.isEmpty } }

    /// Keeps the closure to call when no subscription pauses; false when none pauses now.
    func wait(_ resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard !state.paused.isEmpty else { return false }
            state.waiting.append(resume)
            return true
        }
    }

    /// The number of a new subscription.
    func enter() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Notes the subscription's answer to a value.
    func note(_ answer: Demand, of id: Int) {
        state.withLock { state in
            state.last = answer
            guard answer == .pause else { return }
            state.pauses += 1
            state.paused.insert(id)
        }
    }

    /// The closure that the subscription calls when it is ready.
    func request(of id: Int) -> @Sendable () -> Void {
        let calls = Tally()
        return {
            let isRepeated = calls.add(1) > 1
            self.state.withLock { state in
                state.callbacks += 1
                if isRepeated { state.repeatedCallbacks += 1 }
            }
            self.resume(id)
        }
    }

    /// The subscription does not pause any more, or is over.
    func resume(_ id: Int) {
        let waiting = state.withLock { state -> [@Sendable () -> Void] in
            guard state.paused.remove(id) != nil, state.paused.isEmpty else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in waiting { resume() }
    }
}
