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
