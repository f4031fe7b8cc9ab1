/// Who listens to what is shared, as a pure value: how many there are, and what they share.
///
/// A generation lasts from the first subscriber to the last. `Hub` is what is made anew for each, if anything is.
@usableFromInline
struct AudienceState<Hub: Sendable>: Sendable {
    private(set) var hub: Hub?
    private(set) var connection: SubscriptionGate?
    private(set) var subscribers = 0
    private(set) var generation = 0

    /// One more. Whoever is the first gets the connection to carry out.
    mutating func join(_ makeHub: () -> Hub) -> (hub: Hub, generation: Int, connection: SubscriptionGate?) {
        let hub = self.hub ?? makeHub()
        self.hub = hub
        subscribers += 1
        guard connection == nil else { return (hub, generation, nil) }
        let connection = SubscriptionGate()
        self.connection = connection
        return (hub, generation, connection)
    }

    /// One less. Answers what the last one leaves behind.
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
