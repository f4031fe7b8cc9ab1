/// What a group's signal, its subscribers and its source share.
@usableFromInline
final class GroupCore<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    private struct State: Sendable {
        /// Goes when the group is over; with it go the subscribers' chains.
        var subject: Subject<Value, Failure>?
        var subscribers = 0
        /// There has been a subscriber; from then on it does not count whether anybody holds the signal.
        var wasSubscribed = false
    }

    let key: Key
    private let state: Lock<State>
    /// Makes the source forget the group.
    private let forget: @Sendable (GroupCore) -> Void

    init(key: Key, subject: Subject<Value, Failure>, forget: @escaping @Sendable (GroupCore) -> Void) {
        self.key = key
        state = Lock(State(subject: subject))
        self.forget = forget
    }

    /// What to send into, while the group lasts.
    var subject: Subject<Value, Failure>? { state.withLock { $0.subject } }

    /// Counts a subscriber in, unless the group is over.
    func enter() -> Subject<Value, Failure>? {
        state.withLock { state in
            guard let subject = state.subject else { return nil }
            state.subscribers += 1
            state.wasSubscribed = true
            return subject
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

    private func endIfUnwanted() {
        let subject = state.withLock { state -> Subject<Value, Failure>? in
            state.subscribers == 0 ? state.subject.take() : nil
        }
        if subject != nil { forget(self) }
    }

    /// The group is over; answers what its subscribers are to hear the end from.
    func end() -> Subject<Value, Failure>? {
        state.withLock { $0.subject.take() }
    }
}
