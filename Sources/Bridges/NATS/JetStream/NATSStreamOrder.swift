import Bus

/// News from the server while a stream is read.
enum NATSStreamNews: Sendable {
    case message(NATSMessage)
    /// The consumer was made, and has so many messages to send.
    case began(pending: UInt64)
    /// The connection was lost and made again.
    case reconnected
    /// The user may not acknowledge.
    case refused
    /// The subscription has ended.
    case ended
}

/// The messages of one consumer, in the order of the stream. It fails where another consumer has to go on.
struct NATSStreamOrder: Transducer {
    typealias Input = NATSStreamNews
    typealias Output = NATSStreamItem
    typealias InputFailure = NATSError
    typealias Failure = NATSError

    /// An acknowledgement is sent for so many messages.
    private static let batch: UInt64 = 64

    let position: NATSStreamPosition
    let interruption: NATSError
    let renewal: NATSError
    /// Whether all numbers up to the last message's are in the stream, and all are read.
    private let isDense: Bool
    let acknowledge: @Sendable (_ reply: String) -> Void
    private var last: UInt64
    private var lastOfConsumer: UInt64 = 0
    /// The last message that is not acknowledged.
    private var reply: String?
    private var unacknowledged: UInt64 = 0
    /// How many messages are pending, at least, behind the next one. Less shows that some were removed.
    private var expectedPending: UInt64 = 0
    private var failure: NATSError?
    private var hasEnded = false

    /// - Parameters:
    ///   - interruption: the failure where a message is missing.
    ///   - renewal: the failure where the server sends no more to this consumer.
    init(
        _ position: NATSStreamPosition,
        isDense: Bool,
        interruption: NATSError,
        renewal: NATSError,
        acknowledge: @escaping @Sendable (_ reply: String) -> Void
    ) {
        self.position = position
        self.isDense = isDense
        self.interruption = interruption
        self.renewal = renewal
        self.acknowledge = acknowledge
        last = if case .after(let number) = position.next { number } else { 0 }
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ news: NATSStreamNews,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == NATSStreamItem, Downstream.Failure == NATSError {
        switch news {
        case .began(let pending):
            if lastOfConsumer == 0, pending > 0 { expectedPending = pending - 1 }
            return pending == 0 ? catchUp(&downstream) : downstream.demand
        case .message(let message):
            guard let delivery = NATSDelivery(message) else { return control(message, &downstream) }
            return hear(delivery, &downstream)
        case .reconnected: return stop(interruption)
        case .refused:
            position.cannotAcknowledge()
            return isExhausted ? stop(renewal) : downstream.demand
        case .ended:
            hasEnded = true
            return .stop
        }
    }

    private mutating func hear<Downstream: Observer & ~Copyable>(
        _ delivery: NATSDelivery,
        _ downstream: inout Downstream
    ) -> Demand where Downstream.Value == NATSStreamItem, Downstream.Failure == NATSError {
        guard delivery.consumerSequence == lastOfConsumer + 1 else { return stop(interruption) }
        lastOfConsumer += 1
        // Sent again.
        guard delivery.sequence > last else { return downstream.demand }
        let lost = removed(before: delivery)
        last = delivery.sequence
        expectedPending = delivery.pending == 0 ? 0 : delivery.pending - 1
        position.move(to: .after(last))
        if let lost, downstream.next(.gap(lost: lost)) == .stop { return .stop }
        var demand = downstream.next(.message(delivery))
        reply = delivery.reply
        unacknowledged += 1
        if unacknowledged >= Self.batch { acknowledgeAll() }
        if delivery.pending == 0, demand != .stop { demand = catchUp(&downstream) }
        return isExhausted && demand != .stop ? stop(renewal) : demand
    }

    /// How many messages the stream has removed before they could be sent. A number that is missing does not show it
    /// where others are not read, or were missing before.
    private func removed(before delivery: NATSDelivery) -> UInt64? {
        guard last > 0, delivery.sequence > last + 1 else { return nil }
        guard isDense || delivery.pending < expectedPending else { return nil }
        return delivery.sequence - last - 1
    }

    private mutating func acknowledgeAll() {
        guard position.canAcknowledge, let reply = reply.take() else { return }
        unacknowledged = 0
        acknowledge(reply)
    }

    /// Whether the server waits for an acknowledgement that the user may not send.
    private var isExhausted: Bool { !position.canAcknowledge && lastOfConsumer >= NATSStreamReading.window }

    /// A message that the server sends by itself: that it has sent nothing for a while.
    private mutating func control<Downstream: Observer & ~Copyable>(
        _ message: NATSMessage,
        _ downstream: inout Downstream
    ) -> Demand where Downstream.Value == NATSStreamItem, Downstream.Failure == NATSError {
        guard let text = message.headers["Nats-Last-Consumer"], let number = UInt64(text) else {
            return downstream.demand
        }
        guard number <= lastOfConsumer else { return stop(interruption) }
        acknowledgeAll()
        // All that was sent is heard, and none of it was the last. Either the stream has removed the rest, or the server
        // had to wait for the acknowledgements of an observer that paused. The next consumer finds out.
        guard number < lastOfConsumer || position.hasCaughtUp else { return stop(interruption) }
        return downstream.demand
    }

    private mutating func catchUp<Downstream: Observer & ~Copyable>(_ downstream: inout Downstream) -> Demand
    where Downstream.Value == NATSStreamItem, Downstream.Failure == NATSError {
        position.catchUp() ? downstream.next(.caughtUp) : downstream.demand
    }

    private mutating func stop(_ failure: NATSError) -> Demand {
        self.failure = failure
        return .stop
    }

    var demand: Demand { failure == nil && !hasEnded ? .more : .stop }

    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<NATSError>,
        to downstream: consuming Downstream
    ) where Downstream.Value == NATSStreamItem, Downstream.Failure == NATSError {
        downstream.terminate(failure.map { .failed($0) } ?? termination)
    }
}
