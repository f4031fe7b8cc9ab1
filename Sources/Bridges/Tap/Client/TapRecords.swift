public import Bus
public import Records

extension Signal where Value == TapNews {
    /// Events of another program as records. An event's number in its topic is the record's; a gap is a gap.
    ///
    /// ```
    /// self     b--1---2---g---p---5---
    /// records  ---1---2---g-------5---
    /// ```
    ///
    /// A watch that begins again, as with `retry`, sends a gap first.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter name: the source's name.
    public consuming func records(named name: String = "bus") -> some Signal<Record, Failure> {
        recordItems(from: name).compactMap { item in if case .record(let record) = item { record } else { nil } }
    }

    /// The same, and when a watch has begun.
    package consuming func recordItems(from name: String) -> some Signal<RecordItem, Failure> {
        transduced(by: TapRecords<Failure>(name: name))
    }
}

extension TapEvent {
    /// The event as a record of a source.
    package func record(from name: String) -> Record {
        Record(
            source: name,
            time: time ?? .now,
            monotonic: uptime,
            sequence: sequence,
            content: self
        )
    }
}

/// Makes records from the elements of a watch.
struct TapRecords<Failure: Error>: Transducer {
    typealias Input = TapNews
    typealias Output = RecordItem
    typealias InputFailure = Failure

    let name: String
    private var hasBegun = false

    init(name: String) {
        self.name = name
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ news: TapNews,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == Failure {
        switch news {
        case .began:
            defer { hasBegun = true }
            guard hasBegun else { return downstream.next(.caughtUp) }
            return downstream.next(gap(nil, "the connection was lost; what was posted meanwhile is missing here"))
        case .event(let event):
            return downstream.next(.record(event.record(from: name)))
        case .gap(let lost, let reason):
            return downstream.next(gap(lost, Self.message(lost, reason)))
        case .position: return downstream.demand
        }
    }

    private func gap(_ lost: Int?, _ message: String) -> RecordItem {
        .record(.gap(lost: lost, source: name, time: .now, sequence: 0, message: message))
    }

    private static func message(_ lost: Int, _ reason: String) -> String {
        let events = lost == 1 ? "1 event is" : "\(lost) events are"
        let why =
            switch reason {
            case "buffer": "they came faster than they were read"
            case "queue": "they came faster than the program could show them"
            case "processor": "to show them would have taken more processor time than the program allows"
            default: reason
            }
        return "\(events) missing here: \(why)"
    }
}
