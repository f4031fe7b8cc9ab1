import Bus

/// A source under the full control of a test, which may violate the contract: it may send after it was disposed of. Use
/// it from one thread at a time, and not from inside its own calls.
final class RawSource<Value: Sendable, Failure: Error>: Signal, @unchecked Sendable {
    // Accessed only by the test that controls the source.
    private var observer: AnyObserver<Value, Failure>?

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        self.observer = AnyObserver(observer)
        return ActionDisposable {}
    }

    @discardableResult
    func send(_ value: Value) -> Demand { observer?.next(value) ?? .stop }

    func sendLoss(of count: Int) { observer?.lost(count) }

    func complete() { observer.take()?.terminate(.completed) }

    func fail(_ failure: Failure) { observer.take()?.terminate(.failed(failure)) }

    var demand: Demand { observer?.demand ?? .stop }

    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { observer?.whenReady(resume) ?? .stop }
}
