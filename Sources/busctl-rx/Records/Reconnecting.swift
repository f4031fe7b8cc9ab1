import Bus
import Timers

extension Signal where Failure: CustomStringConvertible {
    /// The same, with another attempt after a failure that may be temporary. When the first attempt begins to wait, a
    /// line says so.
    ///
    /// - Parameters:
    ///   - name: the source's name.
    ///   - hasBegun: whether a value shows that an attempt has succeeded.
    ///   - isTemporary: whether another attempt may succeed.
    func reconnecting(
        named name: String,
        hasBegun: @escaping @Sendable (Value) -> Bool,
        isTemporary: @escaping @Sendable (Failure) -> Bool
    ) -> AnySignal<Value, Failure> {
        let isWaiting = Lock(false)
        return on(
            next: { value in if hasBegun(value) { isWaiting.withLock { $0 = false } } },
            failed: { error in
                let isFirst = isWaiting.withLock { isWaiting in
                    defer { isWaiting = true }
                    return !isWaiting
                }
                if isFirst, isTemporary(error) { StandardError.report("\(name): \(error.description); waiting for it") }
            }
        )
        .retry(backoff: .exponential(from: .milliseconds(100), upTo: .seconds(5)), if: isTemporary)
        .eraseToAnySignal()
    }
}
