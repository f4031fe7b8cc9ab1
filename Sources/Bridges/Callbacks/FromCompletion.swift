public import Bus

extension Signals {
    /// The call of a completion handler. Cold: every subscription starts the work anew.
    ///
    /// ```
    /// handler        ------called(1)
    /// fromCompletion ------1|
    /// ```
    ///
    /// ```swift
    /// import Bus
    /// import CallbackBridge
    /// import Dispatch
    ///
    /// let answer = Signals.fromCompletion(of: Int.self) { handler in
    ///     DispatchQueue.global().async { handler(42) }
    ///     return nil
    /// }
    /// let subscription = answer.subscribe(next: { print($0) })
    /// ```
    ///
    /// Only the first call of the handler counts; later calls do nothing, and a call after the end does no harm. A
    /// handler that is dropped uncalled frees the chain, and no end is heard.
    ///
    /// - Ends: after the value.
    /// - Fails: never.
    /// - Cancelling: disposes of the result of `start`.
    /// - Thread: the one that calls the handler.
    ///
    /// - Parameters:
    ///   - type: the type of the handler's argument.
    ///   - start: starts the work and returns how to stop it, if it can be.
    public static func fromCompletion<Value: Sendable>(
        of type: Value.Type = Value.self,
        _ start: @escaping @Sendable (_ handler: @escaping @Sendable (Value) -> Void) -> (any Disposable)?
    ) -> some Signal<Value, Never> {
        create(of: Value.self) { emitter in
            guard emitter.demand != .stop else { return nil }
            return start { value in
                emitter.send(value)
                emitter.complete()
            }
        }
    }

    /// The call of a completion handler that takes a `Result`. Cold. See ``Bus/Signals/fromCompletion(of:_:)``.
    public static func fromCompletionResult<Value: Sendable, Failure: Error>(
        of type: Value.Type = Value.self,
        failure: Failure.Type = Failure.self,
        _ start:
            @escaping @Sendable (
                _ handler: @escaping @Sendable (Result<Value, Failure>) -> Void
            ) -> (any Disposable)?
    ) -> some Signal<Value, Failure> {
        create(of: Value.self, failure: Failure.self) { emitter in
            guard emitter.demand != .stop else { return nil }
            return start { result in
                switch result {
                case .success(let value):
                    emitter.send(value)
                    emitter.complete()
                case .failure(let failure): emitter.fail(failure)
                }
            }
        }
    }

    /// The call of a completion handler of the old form: `(value, error)`, of which one is not nil. With neither the
    /// signal completes without a value; with both the error counts. Cold. See ``Bus/Signals/fromCompletion(of:_:)``.
    public static func fromCompletionOrError<Value: Sendable>(
        of type: Value.Type = Value.self,
        _ start:
            @escaping @Sendable (
                _ handler: @escaping @Sendable (Value?, (any Error)?) -> Void
            ) -> (any Disposable)?
    ) -> some Signal<Value, any Error> {
        create(of: Value.self, failure: (any Error).self) { emitter in
            guard emitter.demand != .stop else { return nil }
            return start { value, error in
                if let error { return emitter.fail(error) }
                if let value { emitter.send(value) }
                emitter.complete()
            }
        }
    }
}
