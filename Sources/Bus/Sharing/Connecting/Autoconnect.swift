extension ConnectableSignal {
    /// This signal, connected with the first subscriber and disconnected with the last.
    ///
    /// ```
    /// self     --1---2---3---4---5--
    /// first     ^1---2---x
    /// second       ^-2---3-x
    /// third                  ^4---5--     (connected again)
    /// ```
    ///
    /// A later subscriber reconnects: the source is subscribed to anew, and the subject is the same as before, with
    /// the values it kept. When the source has ended, the subject has ended, too, for good. (As in Combine and
    /// RxSwift; ReactiveCocoa never connected a second time.)
    ///
    /// - Ends: when the source has ended, or other code has ended the subject.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription, and the connection with the last, a connection made by hand included.
    /// - Buffers: as the subject does.
    /// - Thread: the source's.
    @inlinable
    public func autoconnect() -> some Signal<Value, Failure> {
        AutoconnectSignal(connectable: self)
    }
}

@usableFromInline
struct AutoconnectSignal<Shared: SubjectProtocol>: Signal {
    @usableFromInline typealias Value = Shared.Value
    @usableFromInline typealias Failure = Shared.Failure
    @usableFromInline let connectable: ConnectableSignal<Shared>
    @usableFromInline let audience = Audience<Void>()

    @usableFromInline
    init(connectable: ConnectableSignal<Shared>) {
        self.connectable = connectable
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let ticket = audience.join { () }
        let handle = connectable.subscribe(AudienceObserver(observer, ticket.seat))
        if let connection = ticket.connection, !connection.isDisposed { connection.carry(connectable.connect()) }
        return AudienceHandle(subscription: handle, seat: ticket.seat)
    }

    @usableFromInline var chain: Chain { connectable.chain.appending("autoconnect") }
}
