extension Signals {
    /// A failure and nothing else. Cold.
    ///
    /// ```
    /// fail(x) x
    /// ```
    ///
    /// - Ends: never without failing.
    /// - Fails: during subscribe.
    /// - Cancelling: does nothing; it is over when `subscribe` returns.
    /// - Buffers: nothing.
    /// - Thread: the subscriber's.
    ///
    /// - Parameters:
    ///   - failure: the failure.
    ///   - type: the type of the values, although there are none.
    @inlinable
    public static func fail<Value: Sendable, Failure: Error>(
        _ failure: Failure,
        of type: Value.Type = Value.self
    ) -> some Signal<Value, Failure> {
        EndedSignal<Value, Failure>(termination: .failed(failure))
    }
}
