import Bus

extension Signal {
    /// This signal under a name of its own in a `Chain`.
    func described(as name: String) -> some Signal<Value, Failure> { DescribedSignal(wrapped: self, name: name) }
}

struct DescribedSignal<Wrapped: Signal>: Signal {
    typealias Value = Wrapped.Value
    typealias Failure = Wrapped.Failure
    let wrapped: Wrapped
    let name: String

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        wrapped.subscribe(observer)
    }

    var chain: Chain { Chain(source: name) }
}
