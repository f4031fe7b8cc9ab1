public import Bus
public import JournalBridge

extension Forwarder {
    /// Forwards the entries of a journal, encoded as the sink wants them.
    ///
    /// - Parameters:
    ///   - sink: where entries are stored.
    ///   - journal: which journal.
    ///   - query: which entries.
    ///   - follow: whether to go on with what comes.
    ///   - worker: where places are noted and saved. It may be blocked by the disk.
    public init(
        to sink: any ForwardSink,
        fromJournal journal: JournalSource,
        query: JournalQuery = .everything,
        follow: Bool = true,
        on worker: ThreadScheduler
    ) {
        let encoding = sink.encoding
        let meter = ForwardMeter()
        self.init(to: sink, on: worker, meter) { cursor in
            let course = JournalCourse.onward(from: cursor.map(JournalStart.cursor) ?? .head, follow: follow)
            return switch encoding {
            case .json: Self.lines(journal, course, query, meter)
            case .otlp: Self.records(journal, course, query, meter)
            }
        }
    }

    private static func lines(
        _ journal: JournalSource,
        _ course: JournalCourse,
        _ query: JournalQuery,
        _ meter: ForwardMeter
    ) -> AnySignal<ForwardItem, ForwardFailure> {
        Signals.journalText(
            journal,
            course,
            query: query,
            threads: 1,
            limit: nil,
            style: JournalStyle(.json),
            tellsPlaces: true
        )
        .mapError { ForwardFailure($0.description, .end) }
        .flatMap(.concat, limit: 1) { text in
            if case .gap(let gap) = text { meter.lose(gap.lost) }
            return Signals.from(ForwardLines.items(text)).promoteFailure(to: ForwardFailure.self)
        }
        .eraseToAnySignal()
    }

    private static func records(
        _ journal: JournalSource,
        _ course: JournalCourse,
        _ query: JournalQuery,
        _ meter: ForwardMeter
    ) -> AnySignal<ForwardItem, ForwardFailure> {
        Signals.journalEncoded(journal, course, query: query) { OTLPEncoder() }
            .mapError { ForwardFailure($0.description, .end) }
            .map { item -> ForwardItem in
                switch item {
                case .entries(let request, let last): return .entry(cursor: last, payload: request)
                case .gap(let gap):
                    meter.lose(gap.lost)
                    return .note(gap.description)
                case .skipped(let fields): return .note(fields.description)
                case .caughtUp: return .caughtUp
                case .place(let cursor): return .place(cursor)
                }
            }
            .eraseToAnySignal()
    }
}

/// Splits a batch into entries.
enum ForwardLines {
    static func items(_ text: JournalText) -> [ForwardItem] {
        switch text {
        case .entries(let bytes): bytes.split(separator: 0x0A).map { item($0) }
        case .gap(let gap): [.note(gap.description)]
        case .skipped(let fields): [.note(fields.description)]
        case .place(let cursor): [.place(cursor)]
        case .caughtUp: [.caughtUp]
        }
    }

    private static let start = Array("{\"__CURSOR\":\"".utf8)

    /// Each object begins with the entry's cursor, which has no character that JSON escapes.
    private static func item(_ line: ArraySlice<UInt8>) -> ForwardItem {
        guard line.starts(with: start) else { return .note("an entry without a cursor is left out") }
        let cursor = line.dropFirst(start.count).prefix { $0 != UInt8(ascii: "\"") }
        return .entry(cursor: String(decoding: cursor, as: UTF8.self), payload: Array(line))
    }
}
