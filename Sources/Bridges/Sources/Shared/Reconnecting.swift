package import Bus
import Timers

extension Signal where Failure: CustomStringConvertible {
    /// The same, with further attempts where a request wants them.
    ///
    /// - Parameters:
    ///   - hasBegun: whether a value shows that an attempt has succeeded.
    ///   - isTemporary: whether another attempt may succeed.
    consuming func reconnecting(
        _ request: SourceRequest,
        hasBegun: @escaping @Sendable (Value) -> Bool,
        isTemporary: @escaping @Sendable (Failure) -> Bool
    ) -> AnySignal<Value, Failure> {
        guard request.reconnects else { return eraseToAnySignal() }
        return reconnecting(
            endsFailure: { value, _ in hasBegun(value) },
            isTemporary: isTemporary,
            note: { [note = request.note] in note(.message($0)) }
        )
    }

    /// The same, with another attempt after a failure that may be temporary.
    ///
    /// - Parameters:
    ///   - endsFailure: whether a value shows that the failure which was noted last is over.
    ///   - isTemporary: whether another attempt may succeed.
    ///   - note: called when the first of several attempts begins to wait.
    package consuming func reconnecting(
        endsFailure: @escaping @Sendable (Value, Failure) -> Bool,
        isTemporary: @escaping @Sendable (Failure) -> Bool,
        note: @escaping @Sendable (String) -> Void
    ) -> AnySignal<Value, Failure> {
        let noted = Lock<Failure?>(nil)
        return on(
            next: { value in
                if let failure = noted.withLock({ $0 }), endsFailure(value, failure) { noted.withLock { $0 = nil } }
            },
            failed: { error in
                let isFirst = noted.withLock { noted in
                    guard noted == nil else { return false }
                    noted = error
                    return true
                }
                if isFirst, isTemporary(error) { note("\(error.description); waiting for it") }
            }
        )
        .retry(backoff: .exponential(from: .milliseconds(100), upTo: .seconds(5)), if: isTemporary)
        .eraseToAnySignal()
    }
}
