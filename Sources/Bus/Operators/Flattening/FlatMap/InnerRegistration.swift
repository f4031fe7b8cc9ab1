/// Keeps an inner signal's handle among those to dispose of, from the start of the signal to its end, whichever of
/// "the subscription returned its handle" and "it ended" comes first.
@usableFromInline
final class InnerRegistration: Sendable {
    private enum State: Sendable {
        case starting
        case running(CompoundDisposable.Token)
        case ended
    }

    private let state = Lock(State.starting)

    @usableFromInline
    init() {}

    @usableFromInline
    func started(_ handle: any Disposable, in handles: CompoundDisposable) {
        guard let token = handles.add(handle) else { return }
        let hasEnded = state.withLock { state -> Bool in
            if case .ended = state { return true }
            state = .running(token)
            return false
        }
        if hasEnded { handles.remove(token) }
    }

    @usableFromInline
    func ended(in handles: CompoundDisposable) {
        let previous = state.withLock { state -> State in
            defer { state = .ended }
            return state
        }
        if case .running(let token) = previous { handles.remove(token) }
    }
}
