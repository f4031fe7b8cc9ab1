/// Sends the source's events into the subject, as long as the connection lasts.
@frozen
@usableFromInline
struct ConnectionObserver<Target: SubjectProtocol>: Observer, ~Copyable {
    @usableFromInline typealias Value = Target.Value
    @usableFromInline typealias Failure = Target.Failure
    @usableFromInline let target: Target
    @usableFromInline let connection: SubscriptionGate

    @inlinable
    init(_ target: Target, _ connection: SubscriptionGate) {
        self.target = target
        self.connection = connection
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        guard connection.isOpen else { return .stop }
        target.send(value)
        return demand
    }

    @inlinable
    mutating func lost(_ count: Int) {
        if connection.isOpen { target.sendLoss(of: count) }
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        // If the connection was disposed of, it is over and the subject goes on.
        guard connection.end() else { return }
        switch termination {
        case .completed: target.complete()
        case .failed(let failure): target.fail(failure)
        }
    }

    @inlinable
    var demand: Demand { !connection.isOpen ? .stop : target.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        !connection.isOpen ? .stop : target.whenReady(resume)
    }
}
