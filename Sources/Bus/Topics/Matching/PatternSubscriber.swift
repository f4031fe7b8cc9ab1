/// A subscriber to a pattern. The channels of the topics that match send to it, from any thread.
@usableFromInline
final class PatternSubscriber: Sendable {
    @usableFromInline let pattern: TopicPattern
    /// Counts up on one bus, so that a channel recognizes the subscribers that it has not met.
    @usableFromInline let number: UInt64

    /// Sends a value. Its own queue puts the values of several channels into one order.
    @usableFromInline let send: @Sendable (Envelope<any Sendable>) -> Demand
    @usableFromInline let lose: @Sendable (Int) -> Void
    @usableFromInline let whenReady: @Sendable (@escaping @Sendable () -> Void) -> Demand
    /// Completes it, behind the values in its queue.
    @usableFromInline let complete: @Sendable () -> Void

    @inlinable
    init<Downstream: Observer & ~Copyable>(
        _ output: SerialObserver<Downstream>,
        pattern: TopicPattern,
        number: UInt64
    ) where Downstream.Value == Envelope<any Sendable>, Downstream.Failure == Never {
        self.pattern = pattern
        self.number = number
        // Only this object holds it: the observers below are freed with it.
        let sender = Sender(output)
        send = { envelope in
            let demand = output.next(envelope)
            if demand == .stop { output.terminate(.completed) }
            return withExtendedLifetime(sender) { demand }
        }
        lose = { output.lost($0) }
        whenReady = { output.whenReady($0) }
        complete = { output.terminate(.completed) }
    }
}
