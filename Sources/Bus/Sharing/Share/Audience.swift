import Synchronization

/// The subscribers of a shared signal. Connects with the first, disconnects with the last.
///
/// It never holds the source's signal, because the source holds it.
@usableFromInline
final class Audience<Hub: Sendable>: Sendable {
    /// The result of joining.
    @usableFromInline
    struct Ticket: Sendable {
        @usableFromInline let hub: Hub
        @usableFromInline let seat: Seat
        /// Set for the first subscriber: the connection that it has to make.
        @usableFromInline let connection: SubscriptionGate?
    }

    /// One subscriber's place, given up once: by its end, or by its disposal.
    @usableFromInline
    final class Seat: ReleasedAtEnd, Disposable {
        private let audience: Audience
        private let generation: Int
        private let isTaken = Atomic<Bool>(true)

        fileprivate init(_ audience: Audience, _ generation: Int) {
            self.audience = audience
            self.generation = generation
        }

        @usableFromInline
        consuming func release() { dispose() }

        @usableFromInline
        func dispose() {
            guard isTaken.exchange(false, ordering: .acquiringAndReleasing) else { return }
            audience.leave(generation)
        }

        @usableFromInline var isDisposed: Bool { !isTaken.load(ordering: .acquiring) }
    }

    private let state = Lock(AudienceState<Hub>())

    @usableFromInline
    init() {}

    @usableFromInline
    func join(_ makeHub: () -> Hub) -> Ticket {
        let (hub, generation, connection) = state.withLock { $0.join(makeHub) }
        return Ticket(hub: hub, seat: Seat(self, generation), connection: connection)
    }

    private func leave(_ generation: Int) {
        // The hub, and the chains below it, are released here and not under the lock.
        let left = state.withLock { state in
            let left = state.leave(generation)
            // The next subscriber must not take it for a connection that lasts.
            _ = left?.connection?.close()
            return left
        }
        left?.connection?.dispose()
    }

    /// The source has ended, or is gone.
    @usableFromInline
    func close(_ connection: SubscriptionGate) {
        _ = state.withLock { $0.close(connection) }
    }
}

/// The subscribers of a shared signal, as a pure value: how many there are, and the hub that they share.
///
/// A generation lasts from the first subscriber to the last. `Hub` is the part that is made anew for each, if any is.
@usableFromInline
struct AudienceState<Hub: Sendable>: Sendable {
    private(set) var hub: Hub?
    private(set) var connection: SubscriptionGate?
    private(set) var subscribers = 0
    private(set) var generation = 0

    /// Adds a subscriber. The first one gets the connection to make.
    mutating func join(_ makeHub: () -> Hub) -> (hub: Hub, generation: Int, connection: SubscriptionGate?) {
        let hub = self.hub ?? makeHub()
        self.hub = hub
        subscribers += 1
        guard connection == nil else { return (hub, generation, nil) }
        let connection = SubscriptionGate()
        self.connection = connection
        return (hub, generation, connection)
    }

    /// Removes a subscriber. Returns the parts that the last one leaves behind.
    mutating func leave(_ generation: Int) -> (hub: Hub?, connection: SubscriptionGate?)? {
        guard generation == self.generation else { return nil }
        subscribers -= 1
        return subscribers == 0 ? takeAll() : nil
    }

    /// The source has ended or is gone: the next subscriber begins anew.
    mutating func close(_ connection: SubscriptionGate) -> (hub: Hub?, connection: SubscriptionGate?)? {
        self.connection === connection ? takeAll() : nil
    }

    private mutating func takeAll() -> (hub: Hub?, connection: SubscriptionGate?) {
        defer {
            hub = nil
            connection = nil
            subscribers = 0
            generation += 1
        }
        return (hub, connection)
    }
}
