/// The state that a group's signal, its subscribers and its source share.
@usableFromInline
final class GroupCore<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    typealias Output = SerialObserver<GroupList<Value, Failure>>

    private struct State: Sendable {
        /// Released when the group is over, and the subscribers' chains with it.
        var output: Output?
        /// The source has ended. The waiting values are for the first subscriber, which may still come.
        var hasEnded = false
        var subscribers = 0
        /// There has been a subscriber; from then on it does not matter whether anybody holds the signal.
        var wasSubscribed = false
    }

    let key: Key
    private let state: Lock<State>
    /// Makes the source forget the group.
    private let forget: @Sendable (GroupCore) -> Void

    /// - Parameters:
    ///   - key: the key that the values have in common.
    ///   - lose: counts a value that finds no room while there is no subscriber.
    ///   - forget: called when nobody wants the group any more.
    init(key: Key, lose: @escaping @Sendable () -> Void, forget: @escaping @Sendable (GroupCore) -> Void) {
        self.key = key
        state = Lock(State(output: SerialObserver(GroupList(lose: lose), limit: 65_536, whilePaused: .pass)))
        self.forget = forget
    }

    // MARK: The source's side

    /// Sends a value; nil when the group is over.
    func send(_ value: Value) -> Demand? { state.withLock { $0.output }?.next(value) }

    /// Whether there is room; a group that is over takes no room.
    var isPaused: Bool { state.withLock { $0.output }?.demand == .pause }

    /// Calls back, too, when the group is over: the source is then needed for the others.
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guard let output = state.withLock({ $0.output }) else { return .more }
        let call = LastCall(resume)
        let answer = output.whenReady { withExtendedLifetime(call) {} }
        if answer != .pause { call.forgo() }
        // A stop concerns this group alone.
        return answer == .pause ? .pause : .more
    }

    /// The source has ended, or, with nil, is gone without an end. Waiting values are heard before.
    func end(_ termination: Termination<Failure>?) {
        let output = state.withLock { state -> Output? in
            state.hasEnded = true
            return state.wasSubscribed ? state.output.take() : state.output
        }
        guard let output else { return }
        output.perform { list, _ in
            list?.whenEmpty {
                if let termination { output.terminate(termination) } else { output.abandon() }
            }
        }
    }

    // MARK: The subscribers' side

    /// Counts a subscriber in, unless the group is over.
    func enter() -> Output? {
        state.withLock { state in
            guard let output = state.output else { return nil }
            state.subscribers += 1
            state.wasSubscribed = true
            if state.hasEnded { state.output = nil }
            return output
        }
    }

    /// Counts a subscriber out.
    func leave() {
        let isLast = state.withLock { state -> Bool in
            state.subscribers -= 1
            return state.subscribers == 0
        }
        if isLast { endIfUnwanted() }
    }

    /// Nobody holds the group's signal any more.
    func signalDropped() {
        let isUnwanted = state.withLock { !$0.wasSubscribed }
        if isUnwanted { endIfUnwanted() }
    }

    /// The first subscriber comes when other groups have ended.
    func waitToStart() {
        state.withLock { $0.output }?.perform { list, _ in list?.pauseNobody() }
    }

    private func endIfUnwanted() {
        let output = state.withLock { state -> Output? in state.subscribers == 0 ? state.output.take() : nil }
        guard let output else { return }
        forget(self)
        output.abandon()
    }
}
