import Bus
import NATSBridge
import Records

/// Records of the messages that the filter selects. A gap reports messages that nobody heard because the connection had ended.
struct NATSItems: Transducer {
    typealias Input = NATSHeard
    typealias Output = RecordItem
    typealias InputFailure = NATSError
    typealias Failure = NATSError

    private let request: SourceRequest
    /// The position in the stream that is read, which goes on behind the last message after an outage.
    private let position: NATSStreamPosition?
    private let isWanted: @Sendable (Record) -> Bool
    private var number: UInt64 = 0
    private var hasBegun = false
    /// Whether a place is known by which a later reader goes on.
    private var hasPlace: Bool

    init(_ request: SourceRequest, at position: NATSStreamPosition?) {
        self.request = request
        self.position = position
        isWanted = request.selects
        hasPlace = if case .behind = request.start { true } else { !request.tellsPlaces }
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ heard: NATSHeard,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == NATSError {
        switch heard {
        case .began:
            defer { hasBegun = true }
            guard hasBegun, position == nil else { return downstream.demand }
            return downstream.next(.outage(of: request.name, after: number))
        case .found: return tellBeginning(to: &downstream)
        case .listening, .stored(.caughtUp):
            return tellBeginning(to: &downstream) == .stop ? .stop : downstream.next(.caughtUp)
        case .message(let message):
            number += 1
            let content = NATSContent(message)
            return send(content.record(from: request.name, number: number, otherwise: .now), to: &downstream)
        case .stored(let item):
            guard let record = item.record(from: request.name) else { return downstream.demand }
            if case .message(let delivery) = item, tell(delivery.sequence - 1, to: &downstream) == .stop {
                return .stop
            }
            let demand = send(record, to: &downstream)
            guard request.tellsPlaces, demand != .stop, case .message(let delivery) = item else { return demand }
            return downstream.next(.place(NATSPlace(delivery.sequence, made: position?.made).description))
        }
    }

    /// Tells where reading begins, as soon as that is known. A later reader would otherwise begin with other messages.
    private mutating func tellBeginning<Downstream: Observer & ~Copyable>(to downstream: inout Downstream) -> Demand
    where Downstream.Value == RecordItem, Downstream.Failure == NATSError {
        guard case .after(let sequence) = position?.next else { return downstream.demand }
        return tell(sequence, to: &downstream)
    }

    /// - Parameter sequence: the number of the message behind which reading begins.
    private mutating func tell<Downstream: Observer & ~Copyable>(
        _ sequence: UInt64,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == NATSError {
        guard !hasPlace else { return downstream.demand }
        hasPlace = true
        return downstream.next(.place(NATSPlace(sequence, made: position?.made).description))
    }

    private func send<Downstream: Observer & ~Copyable>(_ record: Record, to downstream: inout Downstream) -> Demand
    where Downstream.Value == RecordItem, Downstream.Failure == NATSError {
        guard case .record(let shifted) = RecordItem.record(record).shifted(by: request.shift) else {
            return downstream.demand
        }
        if shifted.kind == .event, !isWanted(shifted) { return downstream.demand }
        return downstream.next(.record(shifted))
    }
}
