extension Signal {
    /// This signal heard through a ``Subject``: late subscribers hear no earlier values.
    ///
    /// ```
    /// self      1---2---3--|      connect() at the first ^
    /// early   --^---2---3--|
    /// late    ------^---3--|
    /// ```
    ///
    /// - Ends: when the source has ended while connected.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription; the connection goes on until its own handle is disposed of.
    /// - Buffers: nothing; while one event is being delivered, at most 65,536 values. Beyond that the newest is lost.
    /// - Thread: the source's.
    @inlinable
    public func publish() -> ConnectableSignal<Subject<Value, Failure>> {
        multicast(into: Subject(failure: Failure.self))
    }
}
