#if NATS
    import Bus

    /// A task that waits for an answer, and may be cancelled before, while or after it begins to.
    final class NATSWaiting: Sendable {
        private struct State: Sendable {
            var continuation: CheckedContinuation<NATSMessage, any Error>?
            var request: (any Disposable)?
            var isOver = false
        }

        private let state = Lock(State())

        func begin(
            _ continuation: CheckedContinuation<NATSMessage, any Error>,
            _ start: (@escaping NATSCommand.Answer) -> any Disposable
        ) {
            let isOver = state.withLock { state in
                if !state.isOver { state.continuation = continuation }
                return state.isOver
            }
            guard !isOver else { return continuation.resume(throwing: CancellationError()) }
            let request = start { result in self.end(result.mapError { $0 }) }
            let isLate = state.withLock { state in
                if !state.isOver { state.request = request }
                return state.isOver
            }
            if isLate { request.dispose() }
        }

        func cancel() { end(.failure(CancellationError())) }

        private func end(_ result: Result<NATSMessage, any Error>) {
            let (continuation, request) = state.withLock { state in
                defer { (state.continuation, state.request, state.isOver) = (nil, nil, true) }
                return (state.continuation, state.request)
            }
            request?.dispose()
            continuation?.resume(with: result)
        }
    }
#endif
