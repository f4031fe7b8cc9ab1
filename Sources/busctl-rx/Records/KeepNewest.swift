import Bus
import Records

/// Sends the newest of the records that are there at first, when all of them are known, and then all others.
struct KeepNewest: Transducer {
    typealias Input = RecordItem
    typealias Output = RecordItem
    typealias InputFailure = TailFailure
    typealias Failure = TailFailure

    let count: Int
    /// Whether the newest of them is sent first.
    let isReversed: Bool
    private var kept: [Record] = []
    /// The index of the oldest kept record.
    private var oldest = 0
    private var isCaughtUp = false

    init(count: Int, isReversed: Bool = false) {
        self.count = count
        self.isReversed = isReversed
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ item: RecordItem,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == TailFailure {
        switch item {
        case .record(let record) where !isCaughtUp:
            keep(record)
            return downstream.demand == .stop ? .stop : .more
        case .caughtUp where !isCaughtUp:
            isCaughtUp = true
            return send(to: &downstream) == .stop ? .stop : downstream.next(.caughtUp)
        case .record, .caughtUp: return downstream.next(item)
        }
    }

    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<TailFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == RecordItem, Downstream.Failure == TailFailure {
        if !isCaughtUp { _ = send(to: &downstream) }
        downstream.terminate(termination)
    }

    private mutating func keep(_ record: Record) {
        guard count > 0 else { return }
        if kept.count < count {
            kept.append(record)
        } else {
            kept[oldest] = record
            oldest = (oldest + 1) % count
        }
    }

    private mutating func send<Downstream: Observer & ~Copyable>(
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == TailFailure {
        defer { kept = [] }
        for index in kept.indices {
            // The queue below has room for as many as were asked for.
            let place = isReversed ? kept.count - 1 - index : index
            if downstream.next(.record(kept[(oldest + place) % kept.count])) == .stop { return .stop }
        }
        return .more
    }
}
