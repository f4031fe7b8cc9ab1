import Bus
import Loop

/// Reads a journal.
struct JournalReading<Projection: JournalProjection>: BlockingReading {
    typealias Value = Projection.Value
    typealias Failure = JournalError

    let source: JournalSource
    let start: JournalStart
    let follow: Bool
    let query: JournalQuery
    /// How many threads search the journal's values and write its entries out.
    let threads: Int
    /// How many entries are read at most.
    let limit: Int
    let makeProjection: @Sendable () -> Projection

    var threadName: String { "bus-journal" }

    func failure(_ error: BlockingReaderError) -> JournalError { JournalError(error.operation, errno: error.code) }

    func deliver<Downstream: Observer & ~Copyable>(
        to output: BlockingReaderOutput<Downstream>
    ) throws(JournalError) where Downstream.Value == Value, Downstream.Failure == JournalError {
        let reader = try JournalReader(source, from: start, follow: follow, query: query, threads: threads)
        var projection = makeProjection()
        var hasNews = true
        // Only now: the place where reading begins is that of the subscription, whether or not there is room.
        guard output.waitForRoom() else { return }
        while output.isOpen, projection.count < limit {
            var value: Value?
            let step = try reader.advance()
            if step != .entry, !sendGathered(&projection, output) { return }
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
                    try reader.wait(until: output.stopDescriptor)
                }
            }
            guard value.map({ output.send($0) }) ?? output.waitForRoom() else { return }
            if output.hasSlept() { reader.hasRested() }
        }
        if output.isOpen { _ = sendGathered(&projection, output) }
    }

    /// False when nothing more is wanted.
    private func sendGathered<Downstream: Observer & ~Copyable>(
        _ projection: inout Projection,
        _ output: BlockingReaderOutput<Downstream>
    ) -> Bool where Downstream.Value == Value, Downstream.Failure == JournalError {
        while let gathered = projection.gathered() {
            guard output.send(gathered) else { return false }
        }
        return true
    }
}
