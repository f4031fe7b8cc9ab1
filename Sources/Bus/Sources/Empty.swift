extension Signals {
    /// Completion and nothing else. Cold.
    ///
    /// ```
    /// empty |
    /// ```
    ///
    /// - Ends: during subscribe.
    /// - Fails: never, whatever its type says.
    /// - Cancelling: does nothing; it is over when `subscribe` returns.
    /// - Buffers: nothing.
    /// - Thread: the subscriber's.
    ///
    /// - Parameters:
    ///   - type: the type of the values, although there are none.
    ///   - failure: the type of failure of the signals it is to be composed with.
    @inlinable
    public static func empty<Value: Sendable, Failure: Error>(
        _ type: Value.Type = Value.self,
        failure: Failure.Type = Never.self
    ) -> some Signal<Value, Failure> {
        EndedSignal<Value, Failure>(termination: .completed)
    }
}

/// A signal that only ends.
@frozen
@usableFromInline
struct EndedSignal<Value: Sendable, Failure: Error>: Signal {
    @usableFromInline let termination: Termination<Failure>

    @inlinable
    init(termination: Termination<Failure>) {
        self.termination = termination
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        observer.terminate(termination)
        return FinishedDisposable()
    }

    @usableFromInline var chain: Chain {
        switch termination {
        case .completed: Chain(source: "empty")
        case .failed(let failure): Chain(source: "fail(\(failure))")
        }
    }
}
