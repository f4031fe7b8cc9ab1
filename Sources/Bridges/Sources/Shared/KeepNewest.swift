import Bus
import Records

extension Signal where Value == RecordItem, Failure == SourceError {
    /// The newest of the existing records, as many as requested.
    ///
    /// - Parameter isLive: new records are to be shown when they come, because the end may be far.
    consuming func newest(_ request: SourceRequest, isLive: Bool) -> AnySignal<RecordItem, SourceError> {
        let items = eraseToAnySignal()
        let ending = request.end.map { items.take(until: $0).eraseToAnySignal() } ?? items
        if let count = request.count(isLive: isLive) {
            return ending.transduced(by: KeepNewest(count: count, isReversed: request.isReversed)).eraseToAnySignal()
        }
        return isLive ? ending.prepend(.caughtUp).eraseToAnySignal() : ending
    }
}

/// Sends the newest of the records that are there at first, when all of them are known, and then all others.
struct KeepNewest: Transducer {
    typealias Input = RecordItem
    typealias Output = RecordItem
    typealias InputFailure = SourceError
    typealias Failure = SourceError

    let count: Int
    /// Whether the newest of them is sent first.
    let isReversed: Bool
    private var kept: NewestKept<Record>
    /// The last place behind them, which is told when they have been sent.
    private var place: RecordItem?
    private var isCaughtUp = false

    init(count: Int, isReversed: Bool = false) {
        self.count = count
        self.isReversed = isReversed
        kept = NewestKept(maxCount: count)
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ item: RecordItem,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == SourceError {
        switch item {
        case .record(let record) where !isCaughtUp:
            kept.append(record, byteCount: record.content.footprint)
            return downstream.demand == .stop ? .stop : .more
        case .place where !isCaughtUp:
            place = item
            return downstream.demand == .stop ? .stop : .more
        case .caughtUp where !isCaughtUp:
            isCaughtUp = true
            return send(to: &downstream) == .stop ? .stop : downstream.next(.caughtUp)
        case .record, .caughtUp, .place: return downstream.next(item)
        }
    }

    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<SourceError>,
        to downstream: consuming Downstream
    ) where Downstream.Value == RecordItem, Downstream.Failure == SourceError {
        if !isCaughtUp { _ = send(to: &downstream) }
        downstream.terminate(termination)
    }

    private mutating func send<Downstream: Observer & ~Copyable>(
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == SourceError {
        let leftOut = kept.leftOut
        var records = kept.removeAll()
        if leftOut > 0, let first = records.first { records.insert(.leftOut(leftOut, before: first), at: 0) }
        // The queue below takes as many as were asked for.
        for record in isReversed ? records.reversed() : records where downstream.next(.record(record)) == .stop {
            return .stop
        }
        return place.take().map { downstream.next($0) } ?? .more
    }
}
