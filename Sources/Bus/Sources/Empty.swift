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

extension Signals {
    /// A failure and nothing else. Cold.
    ///
    /// ```
    /// fail(x) x
    /// ```
    ///
    /// - Ends: never without failing.
    /// - Fails: during subscribe.
    /// - Cancelling: does nothing; it is over when `subscribe` returns.
    /// - Thread: the subscriber's.
    ///
    /// - Parameters:
    ///   - failure: the failure.
    ///   - type: the type of the values, although there are none.
    @inlinable
    public static func fail<Value: Sendable, Failure: Error>(
        _ failure: Failure,
        of type: Value.Type = Value.self
    ) -> some Signal<Value, Failure> {
        EndedSignal<Value, Failure>(termination: .failed(failure))
    }
}

extension Signals {
    /// Nothing, not even an end. Cold.
    ///
    /// ```
    /// never -----
    /// ```
    ///
    /// - Ends: never. The chain below it is freed at once, as nothing will be sent to it.
    /// - Fails: never.
    /// - Cancelling: does nothing.
    /// - Thread: none.
    ///
    /// - Parameters:
    ///   - type: the type of the values, although there are none.
    ///   - failure: the type of failure of the signals it is to be composed with.
    public static func never<Value: Sendable, Failure: Error>(
        _ type: Value.Type = Value.self,
        failure: Failure.Type = Never.self
    ) -> some Signal<Value, Failure> {
        NeverSignal<Value, Failure>()
    }
}

struct NeverSignal<Value: Sendable, Failure: Error>: Signal {
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        // Nothing will be sent, so nobody has to own the observer: its chain is freed here.
        ActionDisposable {}
    }

    var chain: Chain { Chain(source: "never") }
}
