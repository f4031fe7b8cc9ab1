import Bus

/// Reads a journal.
struct JournalReading<Projection: JournalProjection>: BlockingReading {
    typealias Value = Projection.Value
    typealias Failure = JournalError

    let source: JournalSource
    let start: JournalStart
    let follow: Bool
    let query: JournalQuery
    /// How many entries are read at most.
    let limit: Int
    let makeProjection: @Sendable () -> Projection

    func failure(_ error: JournalError) -> JournalError { error }

    func deliver<Downstream: Observer & ~Copyable>(
        to box: ObserverBox<Downstream>,
        until stop: ReaderStop
    ) throws(JournalError) where Downstream.Value == Value, Downstream.Failure == JournalError {
        let reader = try JournalReader(source, from: start, follow: follow, query: query)
        var projection = makeProjection()
        var hasNews = true
        while !stop.isDisposed, projection.count < limit {
            var value: Value?
            let step = try reader.advance()
            if step != .entry, let gathered = projection.gathered(), box.observer?.next(gathered) == .stop { return }
            switch step {
            case .entry:
                value = projection.entry(in: reader)
                hasNews = true
            case .gap(let gap): value = projection.gap(gap)
            case .busy: hasNews = true
            case .end: return
            case .caughtUp:
                if hasNews {
                    hasNews = false
                    value = projection.caughtUp
                } else {
                    try reader.wait(until: stop.descriptor)
                }
            }
            if let value {
                if box.observer?.next(value) == .stop { return }
            } else if box.observer?.demand == .stop {
                return
            }
        }
        if !stop.isDisposed, let gathered = projection.gathered() { _ = box.observer?.next(gathered) }
    }
}
