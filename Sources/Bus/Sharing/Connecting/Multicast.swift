extension Signal {
    /// This signal heard through a subject: the source is subscribed to once, however many subscribers there are.
    ///
    /// ```
    /// self      1---2---3--|      connect() at the first ^
    /// early   --^---2---3--|      (a `Subject`)
    /// late    ------^---3--|
    /// ```
    ///
    /// The source is not touched before ``ConnectableSignal/connect()``. The subject decides what a late subscriber
    /// hears: no earlier values (``Subject``), the last values (``ReplaySubject``), or the present one
    /// (``CurrentValueSubject``).
    ///
    /// - Ends: when the source has ended while connected, or other code has ended the subject.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription; the connection goes on until its own handle is disposed of.
    /// - Buffers: as the subject does.
    ///
    /// - Parameter subject: sent into while connected. Other code may send into it, too.
    @inlinable
    public func multicast<Shared: SubjectProtocol>(
        into subject: Shared
    ) -> ConnectableSignal<Shared> where Shared.Value == Value, Shared.Failure == Failure {
        ConnectableSignal(
            subject: subject,
            start: { connection in subscribe(ConnectionObserver(subject, connection)) },
            describe: { chain.appending("multicast") }
        )
    }
}

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
    @inlinable
    public func publish() -> ConnectableSignal<Subject<Value, Failure>> {
        multicast(into: Subject(failure: Failure.self))
    }
}
