extension Signal {
    /// This signal heard through a subject, so that however many subscribe, the source is subscribed to once.
    ///
    /// ```
    /// self      1---2---3--|      connect() at the first ^
    /// early   --^---2---3--|      (a `Subject`)
    /// late    ------^---3--|
    /// ```
    ///
    /// Nothing is asked of the source before ``ConnectableSignal/connect()``. The subject decides what a late
    /// subscriber hears: nothing of what was (``Subject``), the last values (``ReplaySubject``), or the present one
    /// (``CurrentValueSubject``).
    ///
    /// - Ends: when the source has ended while connected, or the subject was ended by somebody else.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription; the connection goes on until its own handle is disposed of.
    /// - Buffers: what the subject does.
    /// - Thread: the source's.
    ///
    /// - Parameter subject: sent into while connected. It may be sent into otherwise too.
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
