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
    /// - Buffers: nothing.
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
