import Bus

/// A source that a test plays as it likes, also against the contract: it goes on after it was disposed of. One thread at a
/// time, and not from inside what it calls.
final class RawSource<Value: Sendable, Failure: Error>: Signal, @unchecked Sendable {
    // Touched by the test that plays the source alone.
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
