#if NATS
    import Bus
    import Timers

    /// A stream that is to be read, and how.
    struct NATSStreamReading: Sendable {
        /// The server sends at most so many messages that are not acknowledged.
        static let window = 256
        /// How often the server says that there is nothing to send.
        private static let heartbeat = Duration.seconds(5)
        /// After so long without a message the consumer is taken for gone.
        static let silence = Duration.seconds(16)

        let stream: String
        let subject: String?
        let hasHeadersOnly: Bool

        var operation: String { "read the stream \"\(stream)\"" }

        var flaw: String? {
            guard NATSConsumer.isName(stream) else {
                return "\"\(stream)\" is not the name of a stream (letters, digits, - and _ are allowed, at most 255)"
            }
            return subject.flatMap { NATSSubject.flaw(inPattern: $0) }
        }

        /// Makes a consumer that the server forgets when nobody listens. One acknowledgement stands for all messages before it, and
        /// only slows the server down: the time for it is so long that nothing is sent again.
        func creation(from start: NATSStart, to inbox: String) -> NATSMessage {
            var settings = [
                #""deliver_subject":"\#(inbox)""#, #""ack_policy":"all""#, #""ack_wait":3600000000000"#,
                #""max_ack_pending":\#(Self.window)"#, #""replay_policy":"instant""#, #""mem_storage":true"#,
                #""idle_heartbeat":\#(Self.heartbeat.natsMilliseconds * 1_000_000)"#, start.settings,
            ]
            if hasHeadersOnly { settings.append(#""headers_only":true"#) }
            if let subject { settings.append(#""filter_subject":"\#(NATSConsumer.escaped(subject))""#) }
            let body = #"{"stream_name":"\#(stream)","config":{\#(settings.joined(separator: ","))}}"#
            return NATSMessage(subject: "$JS.API.CONSUMER.CREATE.\(stream)", payload: Array(body.utf8))
        }

        /// A subject that nobody else uses.
        static func inbox() -> String {
            "_INBOX.\(String(UInt64.random(in: 0 ... .max), radix: 36)).\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        }

        /// The failure after which reading goes on with a new consumer.
        static let interruption = NATSError.Reason.library(status: -1, text: "messages of the consumer are missing")
    }

    /// How far a stream was read.
    final class NATSStreamPosition: Sendable {
        private let start: Lock<NATSStart>

        init(_ start: NATSStart) {
            self.start = Lock(start)
        }

        var next: NATSStart { start.withLock { $0 } }

        func move(to start: NATSStart) { self.start.withLock { $0 = start } }
    }

    /// News from the server while a stream is read.
    enum NATSStreamNews: Sendable {
        case message(NATSMessage)
        /// The consumer was made, and has so many messages to send.
        case began(pending: UInt64)
    }

    /// The messages of one consumer, in the order of the stream. It fails where one is missing.
    struct NATSStreamOrder: Transducer {
        typealias Input = NATSStreamNews
        typealias Output = NATSStreamItem
        typealias InputFailure = NATSError
        typealias Failure = NATSError

        /// An acknowledgement is sent for so many messages.
        private static let batch: UInt64 = 64

        let position: NATSStreamPosition
        let interruption: NATSError
        let acknowledge: @Sendable (_ reply: String) -> Void
        private var last: UInt64 = 0
        private var lastOfConsumer: UInt64 = 0
        private var unacknowledged: UInt64 = 0
        private var hasCaughtUp = false
        private var isBroken = false

        init(
            _ position: NATSStreamPosition,
            interruption: NATSError,
            acknowledge: @escaping @Sendable (_ reply: String) -> Void
        ) {
            self.position = position
            self.interruption = interruption
            self.acknowledge = acknowledge
        }

        mutating func next<Downstream: Observer & ~Copyable>(
            _ news: NATSStreamNews,
            to downstream: inout Downstream
        ) -> Demand where Downstream.Value == NATSStreamItem, Downstream.Failure == NATSError {
            switch news {
            case .began(let pending): return pending == 0 ? catchUp(&downstream) : downstream.demand
            case .message(let message):
                guard let delivery = NATSDelivery(message) else { return control(message, &downstream) }
                return hear(delivery, &downstream)
            }
        }

        private mutating func hear<Downstream: Observer & ~Copyable>(
            _ delivery: NATSDelivery,
            _ downstream: inout Downstream
        ) -> Demand where Downstream.Value == NATSStreamItem, Downstream.Failure == NATSError {
            guard delivery.consumerSequence == lastOfConsumer + 1 else { return interrupt() }
            lastOfConsumer += 1
            // Sent again.
            guard delivery.sequence > last else { return downstream.demand }
            last = delivery.sequence
            position.move(to: .after(last))
            let demand = downstream.next(.message(delivery))
            unacknowledged += 1
            if unacknowledged >= Self.batch || delivery.pending == 0, let reply = delivery.message.reply {
                unacknowledged = 0
                acknowledge(reply)
            }
            guard delivery.pending == 0, demand != .stop else { return demand }
            return catchUp(&downstream)
        }

        /// A message that the server sends by itself: that there is nothing to send.
        private mutating func control<Downstream: Observer & ~Copyable>(
            _ message: NATSMessage,
            _ downstream: inout Downstream
        ) -> Demand where Downstream.Value == NATSStreamItem, Downstream.Failure == NATSError {
            guard let text = message.headers["Nats-Last-Consumer"], let number = UInt64(text) else {
                return downstream.demand
            }
            return number > lastOfConsumer ? interrupt() : downstream.demand
        }

        private mutating func catchUp<Downstream: Observer & ~Copyable>(_ downstream: inout Downstream) -> Demand
        where Downstream.Value == NATSStreamItem, Downstream.Failure == NATSError {
            guard !hasCaughtUp else { return downstream.demand }
            hasCaughtUp = true
            return downstream.next(.caughtUp)
        }

        private mutating func interrupt() -> Demand {
            isBroken = true
            return .stop
        }

        var demand: Demand { isBroken ? .stop : .more }

        consuming func terminate<Downstream: Observer & ~Copyable>(
            _ termination: Termination<NATSError>,
            to downstream: consuming Downstream
        ) where Downstream.Value == NATSStreamItem, Downstream.Failure == NATSError {
            downstream.terminate(isBroken ? .failed(interruption) : termination)
        }
    }
#endif
