import Bus
import Records

extension Record {
    /// A gap for records before another one that were dropped for lack of capacity.
    static func leftOut(_ count: Int, before next: Record, maxBytes: Int = NewestKept<Record>.maxBytes) -> Record {
        .gap(
            lost: count,
            source: next.source,
            time: next.time,
            sequence: next.sequence,
            message: NewestKept<Record>.reason(leaving: count, maxBytes: maxBytes)
        )
    }
}

/// Sends the newest of the records that are there at first, when all of them are known, and then all others.
struct KeepNewest: Transducer {
    typealias Input = RecordItem
    typealias Output = RecordItem
    typealias InputFailure = TailFailure
    typealias Failure = TailFailure

    let count: Int
    /// Whether the newest of them is sent first.
    let isReversed: Bool
    private var kept: NewestKept<Record>
    private var isCaughtUp = false

    init(count: Int, isReversed: Bool = false) {
        self.count = count
        self.isReversed = isReversed
        kept = NewestKept(maxCount: count)
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ item: RecordItem,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == TailFailure {
        switch item {
        case .record(let record) where !isCaughtUp:
            kept.append(record, byteCount: record.content.footprint)
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

    private mutating func send<Downstream: Observer & ~Copyable>(
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == TailFailure {
        let leftOut = kept.leftOut
        var records = kept.removeAll()
        if leftOut > 0, let first = records.first { records.insert(.leftOut(leftOut, before: first), at: 0) }
        // The queue below takes as many as were asked for.
        for record in isReversed ? records.reversed() : records where downstream.next(.record(record)) == .stop {
            return .stop
        }
        return .more
    }
}
