import Bus

/// A task that waits for an answer, and may be cancelled before, while or after it begins to.
final class DBusWaiting: Sendable {
    private struct State: Sendable {
        var continuation: CheckedContinuation<DBusMessage, any Error>?
        var call: (any Disposable)?
        var isOver = false
    }

    private let state = Lock(State())

    func begin(
        _ continuation: CheckedContinuation<DBusMessage, any Error>,
        _ start: (@escaping @Sendable (Result<DBusMessage, DBusError>) -> Void) -> any Disposable
    ) {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        guard !isOver else { return continuation.resume(throwing: CancellationError()) }
        let call = start { result in self.end(result.mapError { $0 }) }
        let isLate = state.withLock { state in
            if !state.isOver { state.call = call }
            return state.isOver
        }
        if isLate { call.dispose() }
    }

    func cancel() { end(.failure(CancellationError())) }

    private func end(_ result: Result<DBusMessage, any Error>) {
        let (continuation, call) = state.withLock { state in
            defer { (state.continuation, state.call, state.isOver) = (nil, nil, true) }
            return (state.continuation, state.call)
        }
        call?.dispose()
        continuation?.resume(with: result)
    }
}
