extension Signals {
    /// A failure and nothing else, during subscribe. Cold.
    ///
    /// ```
    /// x
    /// ```
    @inlinable
    public static func fail<Value: Sendable, Failure: Error>(
        _ failure: Failure,
        of type: Value.Type = Value.self
    ) -> some Signal<Value, Failure> {
        EndedSignal<Value, Failure>(termination: .failed(failure))
    }
}
