public import Bus
import Glibc
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
        from journal: JournalSource,
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
    ) -> AnySignal<ForwardItem, ForwardError> {
        Signals.journalText(
            journal,
            course,
            query: query,
            threads: 1,
            limit: nil,
            style: JournalStyle(.json),
            tellsPlaces: true
        )
        .mapError { ForwardError($0.description, .end) }
        .flatMap(.concat, limit: 1) { text in
            if case .gap(let gap) = text { meter.lose(gap.lost) }
            return Signals.from(ForwardLines.items(text)).promoteFailure(to: ForwardError.self)
        }
        .eraseToAnySignal()
    }

    private static func records(
        _ journal: JournalSource,
        _ course: JournalCourse,
        _ query: JournalQuery,
        _ meter: ForwardMeter
    ) -> AnySignal<ForwardItem, ForwardError> {
        Signals.journalEncoded(journal, course, query: query) { OTLPEncoder() }
            .mapError { ForwardError($0.description, .end) }
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
        case .entries(let bytes): bytes.withUnsafeBytes { entries($0) }
        case .gap(let gap): [.note(gap.description)]
        case .skipped(let fields): [.note(fields.description)]
        case .place(let cursor): [.place(cursor)]
        case .caughtUp: [.caughtUp]
        }
    }

    /// The lines of a text. Every entry that is forwarded passes here, so bytes are looked for with memchr and copied at once.
    private static func entries(_ text: UnsafeRawBufferPointer) -> [ForwardItem] {
        var items: [ForwardItem] = []
        var rest = text
        while !rest.isEmpty {
            let end = position(of: UInt8(ascii: "\n"), in: rest) ?? rest.count
            if end > 0 { items.append(item(UnsafeRawBufferPointer(rebasing: rest[..<end]))) }
            rest = UnsafeRawBufferPointer(rebasing: rest[min(end + 1, rest.count)...])
        }
        return items
    }

    private static func position(of byte: UInt8, in text: UnsafeRawBufferPointer) -> Int? {
        guard let start = text.baseAddress, let found = memchr(start, CInt(byte), text.count) else { return nil }
        return UnsafeRawPointer(found) - start
    }

    private static let start: StaticString = "{\"__CURSOR\":\""

    /// Each object begins with the entry's cursor, which has no character that JSON escapes.
    private static func item(_ line: UnsafeRawBufferPointer) -> ForwardItem {
        let count = start.utf8CodeUnitCount
        guard line.count > count, let base = line.baseAddress, memcmp(base, start.utf8Start, count) == 0,
            case let rest = UnsafeRawBufferPointer(rebasing: line[count...]),
            let end = position(of: UInt8(ascii: "\""), in: rest)
        else { return .note("an entry without a cursor is left out") }
        let cursor = UnsafeRawBufferPointer(rebasing: rest[..<end])
        return .entry(cursor: String(decoding: cursor, as: UTF8.self), payload: Array(line))
    }
}
