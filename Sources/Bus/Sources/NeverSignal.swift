extension Signals {
    /// Nothing, not even an end. Cold. The chain below it is freed at once.
    ///
    /// ```
    /// -
    /// ```
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
        // Nothing will be sent, so there is no one to own the observer: its chain is freed here.
        ActionDisposable {}
    }

    var chain: Chain { Chain(source: "never") }
}
