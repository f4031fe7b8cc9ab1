import Bus
import DBusBridge
import Records

/// Records of the messages on a bus that the filter selects. A gap reports messages that nobody heard because the
/// connection had ended.
struct DBusItems: Transducer {
    typealias Input = DBusHeard
    typealias Output = RecordItem
    typealias InputFailure = DBusError
    typealias Failure = DBusError

    /// The source's name.
    let source: String
    let sieve: DBusSieve
    private var hasBegun = false

    init(of source: String, through sieve: DBusSieve) {
        self.source = source
        self.sieve = sieve
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ heard: DBusHeard,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == DBusError {
        switch heard {
        case .began:
            defer { hasBegun = true }
            guard hasBegun else { return downstream.next(.caughtUp) }
            return downstream.next(.outage(of: source, after: sieve.number))
        case .message(let message, let names):
            guard let record = sieve.select(message, senderNames: names) else { return downstream.demand }
            return downstream.next(.record(record))
        }
    }
}
