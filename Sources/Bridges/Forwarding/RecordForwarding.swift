public import Bus
import Glibc
import Records
public import RecordSources

extension Forwarder {
    /// Forwards the records of any source, encoded as the sink wants them: an entry of a journal as ``init(to:from:query:follow:on:)``
    /// does, any other record as the JSON object that a `RecordWriter` writes, or as a log record with its fields as attributes.
    ///
    /// A source that tells places (`SourceTraits.places`) is read on behind the saved one after a restart. The cursor of its record is the
    /// place and a hash, as the article says; a journal's entry has its own cursor. A sink knows a record again if its content is the same when
    /// it is read again.
    ///
    /// Of any other source, what comes while nobody forwards is not forwarded, what is on its way when an attempt fails is not sent again (it is
    /// counted as lost, and noted), and nothing is known again: each of its records has an id of its own, which no other run uses, and a keeper
    /// should have no file. If it is not live, as an export stream in a file, each attempt sends all of it.
    ///
    /// - Parameters:
    ///   - sink: where records are stored.
    ///   - source: the source.
    ///   - request: the source's name, which records, and whether to go on with what comes. Places and the start are set here.
    ///   - worker: where places are noted and saved. It may be blocked by the disk.
    public init(
        to sink: any ForwardSink,
        from source: any RecordSource,
        request: SourceRequest,
        on worker: ThreadScheduler
    ) {
        if let source = source as? JournalRecords {
            self.init(
                to: sink,
                from: source.journal,
                query: request.journalQuery,
                follow: request.follows,
                on: worker
            )
            return
        }
        // For all connections: none of them uses an id of another.
        let ids = source.traits.contains(.places) ? nil : RunIDs()
        // The same for all connections, which may begin with the same records.
        let beginning = UInt64.random(in: .min ... .max)
        // Its places are the cursors of entries.
        let isJournal = source is RemoteRecords
        let (encoding, meter) = (sink.encoding, ForwardMeter(readsAgain: ids == nil))
        let seeksBeginning = ids == nil && !source.traits.contains(.stored)
        self.init(to: sink, on: worker, meter, seeksBeginning: seeksBeginning) { cursor in
            var request = request
            request.tellsPlaces = ids == nil
            // Without places, a live source goes on with what comes then, and a file is read from its beginning.
            request.start =
                ids == nil
                ? cursor.map { .behind(RecordCursors.place(in: $0)) } ?? .all
                : source.traits.contains(.live) ? .recent(0) : .all
            let cursors = isJournal ? nil : RecordCursors(behind: cursor, beginning: beginning)
            return source.items(request)
                .mapError { ForwardError($0.description, .end) }
                .transduced(by: RecordEncoding(encoding, ids, cursors, meter))
                .eraseToAnySignal()
        }
    }
}

/// The ids of records from a source without places.
private struct RunIDs: Sendable {
    /// A text that no other run has.
    private let run = "run=\(RecordTime.now.microseconds).\(getpid())"
    private let last = Lock(0)

    func next() -> String {
        let number = last.withLock { last in
            last += 1
            return last
        }
        return "\(run);n=\(number)"
    }
}

/// Encodes records, each with a cursor of the place behind it.
private struct RecordEncoding: Transducer {
    typealias Input = RecordItem
    typealias Output = ForwardItem
    typealias InputFailure = ForwardError
    typealias Failure = ForwardError

    private let encoding: ForwardEncoding
    /// If the source tells no places.
    private let ids: RunIDs?
    /// `nil` if places are cursors.
    private var cursors: RecordCursors?
    private let meter: ForwardMeter
    private var writer = RecordWriter(RecordStyle(.json))
    /// A record whose place comes next.
    private var waiting: Record?

    init(_ encoding: ForwardEncoding, _ ids: RunIDs?, _ cursors: RecordCursors?, _ meter: ForwardMeter) {
        self.encoding = encoding
        self.ids = ids
        self.cursors = cursors
        self.meter = meter
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ item: RecordItem,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == ForwardItem, Downstream.Failure == ForwardError {
        switch item {
        case .caughtUp: return downstream.next(.caughtUp)
        case .place(let place):
            guard let record = waiting.take() else {
                return downstream.next(.place(cursors?.cursor(at: place) ?? place))
            }
            let cursor = cursors?.cursor(of: record, at: place) ?? place
            return downstream.next(.entry(cursor: cursor, payload: payload(of: record, cursor)))
        case .record(let record):
            if case .gap(let lost) = record.kind {
                meter.lose(lost)
                return downstream.next(.note("\(record.source): \(record.message ?? "")"))
            }
            if let cursor = ids?.next() {
                return downstream.next(.entry(cursor: cursor, payload: payload(of: record, cursor)))
            }
            defer { waiting = record }
            guard let earlier = waiting else { return downstream.demand }
            let text = "\(earlier.source): record \(earlier.sequence) is left out: the source told no place behind it"
            return downstream.next(.note(text))
        }
    }

    private mutating func payload(of record: Record, _ cursor: String) -> [UInt8] {
        switch encoding {
        case .json: return writer.text(of: record).dropLast()
        case .otlp:
            var logs = OTLPLogs()
            logs.append(record, id: cursor)
            return logs.bytes
        }
    }
}
