import Bus
import BusTesting

/// A cold source. Each of its subscriptions sends its number, from 1, and then ends as specified.
final class Attempts: Sendable {
    private let made = Lock(0)
    private let end: @Sendable (Int) -> Termination<TestFailure>

    init(_ end: @escaping @Sendable (Int) -> Termination<TestFailure>) {
        self.end = end
    }

    /// Fails `times` times and then completes.
    convenience init(failing times: Int) {
        self.init { $0 <= times ? .failed(TestFailure(stringLiteral: "attempt \($0)")) : .completed }
    }

    var count: Int { made.withLock { $0 } }

    var signal: some Signal<Int, TestFailure> { AttemptSignal(attempts: self) }

    fileprivate func make() -> (Int, Termination<TestFailure>) {
        let number = made.withLock { made -> Int in
            made += 1
            return made
        }
        return (number, end(number))
    }
}

private struct AttemptSignal: Signal {
    typealias Value = Int
    typealias Failure = TestFailure
    let attempts: Attempts

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == TestFailure {
        let (number, end) = attempts.make()
        var stopped = observer.demand == .stop
        if !stopped { stopped = observer.next(number) == .stop }
        observer.terminate(stopped ? .completed : end)
        return FinishedDisposable()
    }
}
