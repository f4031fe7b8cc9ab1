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
        reconnecting(named: name, endsFailure: { value, _ in hasBegun(value) }, isTemporary: isTemporary)
    }

    /// The same, where it depends on the failure what shows that it is over.
    ///
    /// - Parameter endsFailure: whether a value shows that the failure which was reported last is over.
    func reconnecting(
        named name: String,
        endsFailure: @escaping @Sendable (Value, Failure) -> Bool,
        isTemporary: @escaping @Sendable (Failure) -> Bool
    ) -> AnySignal<Value, Failure> {
        let reported = Lock<Failure?>(nil)
        return on(
            next: { value in
                if let failure = reported.withLock({ $0 }), endsFailure(value, failure) {
                    reported.withLock { $0 = nil }
                }
            },
            failed: { error in
                let isFirst = reported.withLock { reported in
                    guard reported == nil else { return false }
                    reported = error
                    return true
                }
                if isFirst, isTemporary(error) { StandardError.report("\(name): \(error.description); waiting for it") }
            }
        )
        .retry(backoff: .exponential(from: .milliseconds(100), upTo: .seconds(5)), if: isTemporary)
        .eraseToAnySignal()
    }
}
