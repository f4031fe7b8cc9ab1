public import Bus
import Glibc
import Records
public import RecordSources

extension Forwarder {
    /// Forwards the records of any source, encoded as the sink wants them: an entry of a journal as ``init(to:from:query:follow:on:)``
    /// does, any other record as the JSON object that a `RecordWriter` writes, or as a log record with its fields as attributes.
    ///
    /// A source that tells places (`SourceTraits.places`) is read on behind the saved one after a restart. Of any other, what comes while
    /// nobody forwards is not forwarded, what is on its way when an attempt fails is not sent again (it is counted as lost, and noted), and
    /// nothing is known again: its records have ids that no other run uses, and a keeper should have no file.
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
        let run = source.traits.contains(.places) ? nil : Self.runName
        let (encoding, meter) = (sink.encoding, ForwardMeter(readsAgain: run == nil))
        let seeksBeginning = run == nil && !source.traits.contains(.stored)
        self.init(to: sink, on: worker, meter, seeksBeginning: seeksBeginning) { cursor in
            var request = request
            request.tellsPlaces = run == nil
            // Without places, a later connection begins with what comes then.
            request.start = run == nil ? cursor.map { .behind($0) } ?? .all : .recent(0)
            return source.items(request)
                .mapError { ForwardFailure($0.description, .end) }
                .transduced(by: RecordEncoding(encoding, run: run, meter))
                .eraseToAnySignal()
        }
    }

    /// A text that no other run has.
    private static var runName: String { "run=\(RecordTime.now.microseconds).\(getpid())" }
}

/// Encodes records, each with the place behind it as its cursor.
private struct RecordEncoding: Transducer {
    typealias Input = RecordItem
    typealias Output = ForwardItem
    typealias InputFailure = ForwardFailure
    typealias Failure = ForwardFailure

    private let encoding: ForwardEncoding
    /// The name of this run, if the source tells no places.
    private let run: String?
    private let meter: ForwardMeter
    private var writer = RecordWriter(RecordStyle(.json))
    private var number = 0
    /// A record whose place comes next.
    private var waiting: Record?

    init(_ encoding: ForwardEncoding, run: String?, _ meter: ForwardMeter) {
        self.encoding = encoding
        self.run = run
        self.meter = meter
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ item: RecordItem,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == ForwardItem, Downstream.Failure == ForwardFailure {
        switch item {
        case .caughtUp: return downstream.next(.caughtUp)
        case .place(let place):
            guard let record = waiting.take() else { return downstream.next(.place(place)) }
            return downstream.next(.entry(cursor: place, payload: payload(of: record, place)))
        case .record(let record):
            if case .gap(let lost) = record.kind {
                meter.lose(lost)
                return downstream.next(.note("\(record.source): \(record.message ?? "")"))
            }
            number += 1
            if let run {
                let cursor = "\(run);n=\(number)"
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
