import Bus

/// One subscription to an observed property.
final class ObservationListener<Value: Sendable>: Sendable {
    private struct State {
        var isStopped = false
        var remove: (@Sendable () -> Void)?
    }

    let emitter: Emitter<Value, Never>
    private let state = Lock(State())

    init(_ emitter: Emitter<Value, Never>) {
        self.emitter = emitter
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Sets the closure that removes the listener when it stops; it is called at once when the listener has stopped
    /// already.
    func onStop(_ remove: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state -> Bool in
            if !state.isStopped { state.remove = remove }
            return state.isStopped
        }
        if isStopped { remove() }
    }

    func stop() {
        let remove = state.withLock { state -> (@Sendable () -> Void)? in
            state.isStopped = true
            return state.remove.take()
        }
        remove?()
    }
}
