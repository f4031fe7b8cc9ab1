import Bus
import Synchronization

/// How many errors there were since they were last asked for.
final class ErrorCount: Sendable {
    private let number = Atomic<Int>(0)

    func count(_ errors: some Signal<String, Never>) -> any Disposable {
        errors.subscribe(next: { [self] _ in number.add(1, ordering: .relaxed) })
    }

    func takeAll() -> Int { number.exchange(0, ordering: .relaxed) }
}
