/// Sends the source's events to the subscribers, as long as the connection lasts.
@frozen
@usableFromInline
struct ShareObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    @usableFromInline typealias Hub = ReplaySubject<Value, Failure>
    @usableFromInline let hub: Hub
    // Beside the hub, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let output: SerialObserver<ReplayList<Value, Failure>>
    @usableFromInline let connection: SubscriptionGate
    @usableFromInline let end: ShareEnd<Hub>

    @inlinable
    init(_ hub: Hub, _ connection: SubscriptionGate, _ audience: Audience<Hub>) {
        self.hub = hub
        output = hub.core
        self.connection = connection
        end = ShareEnd(connection, audience)
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if !connection.isOpen { return .stop }
        let demand = output.next(value)
        // The last subscriber may have left with this value.
        return !connection.isOpen ? .stop : demand
    }

    @inlinable
    mutating func lost(_ count: Int) {
        if connection.isOpen { output.lost(count) }
    }

    // Not inlinable: nothing is gained, and the optimiser of Swift 6.3.1 stops at deinitialisers in such functions.
    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        // First, so that a subscriber that subscribes again when it hears the end starts anew.
        end.come()
        if connection.end() { output.terminate(termination) }
    }

    @inlinable
    var demand: Demand { !connection.isOpen ? .stop : output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        !connection.isOpen ? .stop : output.whenReady(resume)
    }
}

/// Reports that nothing comes from the source any more, because it ended or was dropped.
@usableFromInline
final class ShareEnd<Hub: Sendable>: Sendable {
    private let connection: SubscriptionGate
    private let audience: Audience<Hub>

    @usableFromInline
    init(_ connection: SubscriptionGate, _ audience: Audience<Hub>) {
        self.connection = connection
        self.audience = audience
    }

    deinit {
        come()
    }

    @usableFromInline
    func come() {
        audience.close(connection)
    }
}
