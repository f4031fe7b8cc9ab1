import Bus
import Loop

/// Reads a journal.
struct JournalReading<Projection: JournalProjection>: BlockingReading {
    typealias Value = Projection.Value
    typealias Failure = JournalError

    let source: JournalSource
    let course: JournalCourse
    let query: JournalQuery
    /// How many threads search the journal's values and write its entries out.
    let threads: Int
    /// How many entries are read at most.
    let limit: Int
    /// Receives the progress of reading.
    let progress: SearchProgress?
    let makeProjection: @Sendable () -> Projection

    var threadName: String { "bus-journal" }

    func failure(_ error: BlockingReaderError) -> JournalError { JournalError(error.operation, errno: error.code) }

    func deliver<Downstream: Observer & ~Copyable>(
        to output: BlockingReaderOutput<Downstream>
    ) throws(JournalError) where Downstream.Value == Value, Downstream.Failure == JournalError {
        defer { progress?.end() }
        let reader = try JournalReader(source, course, query: query, threads: threads)
        var projection = makeProjection()
        var hasNews = true
        var places = Places()
        // Only now: the place where reading begins is that of the subscription, whether or not the observer pauses.
        guard output.waitUntilReady() else { return }
        while output.isOpen, projection.count < limit {
            var (step, value) = try projection.entries(in: reader, upTo: limit) {
                hasNews = true
                guard output.waitUntilReady() else { return false }
                if output.hasSlept() { reader.hasRested() }
                return output.isOpen
            }
            if step != .entry {
                guard sendGathered(&projection, output),
                    places.send(reader, projection, output, isPause: step == .end || step == .caughtUp)
                else { return }
            }
            switch step {
            case .entry: hasNews = true
            case .gap(let gap): value = projection.gap(gap)
            case .busy: hasNews = true
            case .end: return
            case .caughtUp:
                if hasNews {
                    progress?.end()
                    hasNews = false
                    value = projection.caughtUp
                } else {
                    try reader.wait(until: output.stopDescriptor)
                }
            }
            let hasText = step == .entry && value != nil
            if let progress, hasText || step == .busy { progress.answer(reader.progress) }
            guard value.map({ output.send($0) }) ?? output.waitUntilReady(),
                !hasText || places.send(reader, projection, output, isPause: true)
            else { return }
            if output.hasSlept() { reader.hasRested() }
        }
        guard output.isOpen, sendGathered(&projection, output) else { return }
        _ = places.send(reader, projection, output, isPause: true)
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

/// Reports to which place a journal was read.
private struct Places {
    private var reported: EntryKey?
    private var reportedAt: UInt64 = 0

    /// The time without reports while nothing matches, in microseconds.
    private static let interval: UInt64 = 250_000

    /// All text up to the reader's place has been sent. False when nothing more is wanted.
    ///
    /// - Parameter isPause: whether to report the place now, however recent the last report was.
    mutating func send<Projection: JournalProjection, Downstream: Observer & ~Copyable>(
        _ reader: JournalReader,
        _ projection: Projection,
        _ output: BlockingReaderOutput<Downstream>,
        isPause: Bool
    ) -> Bool where Downstream.Value == Projection.Value, Downstream.Failure == JournalError {
        guard let place = reader.place, reported.map({ $0.compare(place) != 0 }) ?? true else { return true }
        let now = Clocks.monotonic()
        guard isPause || now &- reportedAt >= Self.interval, let value = projection.place(reader.placeCursor) else {
            return true
        }
        (reported, reportedAt) = (place, now)
        return output.send(value)
    }
}
