extension Signals {
    /// The result of a function, or the error it throws. Cold: every subscription calls it.
    ///
    /// ```
    /// attempt { try parse("1") } 1|
    /// attempt { try parse("x") } x
    /// ```
    ///
    /// A closure literal throws `any Error` unless it says otherwise (`{ () throws(ParseError) in … }`).
    ///
    /// - Ends: after the value, during subscribe.
    /// - Fails: with the function's error, during subscribe.
    /// - Cancelling: does nothing; it is over when `subscribe` returns.
    /// - Thread: the subscriber's.
    ///
    /// - Parameter body: makes the value. It is not called when no value is wanted.
    @inlinable
    public static func attempt<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) -> some Signal<Value, Failure> {
        AttemptSignal(body: body)
    }

    /// The result of an asynchronous function, or the error it throws. Cold: every subscription calls it, in a task of its
    /// own.
    ///
    /// ```
    /// attempt { try await fetch() } -----1|
    /// attempt { try await fetch() } -----x
    /// ```
    ///
    /// A closure literal throws `any Error` unless it says otherwise (`{ () async throws(FetchError) in … }`).
    ///
    /// - Ends: after the value.
    /// - Fails: with the function's error.
    /// - Cancelling: cancels the task. If the function ignores that, its later result is dropped.
    /// - Thread: one of Swift's cooperative pool.
    ///
    /// - Parameters:
    ///   - priority: the task's; that of the subscribing task unless told.
    ///   - body: makes the value. It is not called when no value is wanted.
    public static func attempt<Value: Sendable, Failure: Error>(
        priority: TaskPriority? = nil,
        async body: @escaping @Sendable () async throws(Failure) -> Value
    ) -> some Signal<Value, Failure> {
        TaskSignal(name: "attempt", priority: priority) { send throws(Failure) in
            _ = await send(try await body())
        }
    }
}

@frozen
@usableFromInline
struct AttemptSignal<Value: Sendable, Failure: Error>: Signal {
    @usableFromInline let body: @Sendable () throws(Failure) -> Value

    @inlinable
    init(body: @escaping @Sendable () throws(Failure) -> Value) {
        self.body = body
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard observer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        do throws(Failure) {
            return JustSignal(value: try body()).subscribe(observer)
        } catch {
            observer.terminate(.failed(error))
            return FinishedDisposable()
        }
    }

    @usableFromInline var chain: Chain { Chain(source: "attempt") }
}
