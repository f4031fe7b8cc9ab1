import Bus
import FileBridge
import Records

/// What is read of a file or a stream of lines.
enum LineItem: Sendable {
    case line([UInt8])
    /// Lines that were read together.
    case lines(FileLines)
    /// For a person: something is missing here.
    case gap(String)
    case caughtUp
}

/// Makes records of lines: of those that were read together, together.
struct LineRecords: Transducer {
    typealias Input = LineItem
    typealias Output = [RecordItem]
    typealias InputFailure = TailFailure
    typealias Failure = TailFailure

    /// What a line was found to be.
    enum Reading {
        case content(any RecordContent, time: Int64?)
        /// Not what was expected: it is shown as it is.
        case other
    }

    let source: RecordPlan.Source
    let malformed: MalformedLines
    let read: @Sendable ([UInt8]) -> Reading
    let isWanted: @Sendable (Record) -> Bool
    var number: UInt64 = 0

    init(
        _ source: RecordPlan.Source,
        _ malformed: MalformedLines,
        read: @escaping @Sendable ([UInt8]) -> Reading,
        isWanted: @escaping @Sendable (Record) -> Bool
    ) {
        self.source = source
        self.malformed = malformed
        self.read = read
        self.isWanted = isWanted
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ item: LineItem,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == [RecordItem], Downstream.Failure == TailFailure {
        var records: [RecordItem] = []
        switch item {
        case .caughtUp: records.append(.caughtUp)
        case .gap(let message):
            let gap = Record.gap(lost: nil, source: source.name, time: Record.now, sequence: number, message: message)
            records.append(.record(gap))
        case .line(let line):
            if let record = record(line, now: Record.now) { records.append(.record(record)) }
        case .lines(let lines):
            let now = Record.now
            lines.forEach { line in
                if let record = record(Array(line), now: now) { records.append(.record(record)) }
            }
        }
        return records.isEmpty ? downstream.demand : downstream.next(records)
    }

    private mutating func record(_ line: [UInt8], now: Int64) -> Record? {
        number += 1
        let record: Record
        switch read(line) {
        case .content(let content, let time):
            let known = time.map { $0.addingReportingOverflow(source.skew).partialValue }
            record = Record(source: source.name, time: known ?? now, sequence: number, content: content)
        case .other:
            malformed.count(source.name, line: number)
            record = Record(source: source.name, time: now, sequence: number, content: Self.text(line))
        }
        return isWanted(record) ? record : nil
    }

    static func json(_ line: [UInt8]) -> Reading {
        guard let object = JSONObject(line) else { return .other }
        return .content(object, time: object.time)
    }

    static func logfmt(_ line: [UInt8]) -> Reading {
        guard let (content, time) = line.withUnsafeBytes({ Logfmt.read($0) }) else { return .other }
        return .content(content, time: time)
    }

    static func line(_ line: [UInt8]) -> Reading {
        .content(text(line), time: line.withUnsafeBytes { RecordTime.begin(of: $0)?.time })
    }

    private static func text(_ line: [UInt8]) -> RecordFields { RecordFields(message: line) }
}

/// Counts lines that were not what was expected.
final class MalformedLines: Sendable {
    private let counts = Lock<[String: (count: Int, first: UInt64)]>([:])

    func count(_ source: String, line: UInt64) {
        counts.withLock { $0[source, default: (0, line)].count += 1 }
    }

    /// What to tell a person in the end.
    var summary: [String] {
        counts.withLock { $0 }.sorted { $0.key < $1.key }.map { source, lines in
            lines.count == 1
                ? "\(source): line \(lines.first) is not of the format that was expected, and is taken for text"
                : "\(source): \(lines.count) lines are not of the format that was expected, and are taken for text; the first is line"
                    + " \(lines.first)"
        }
    }
}

/// Of what is there, the newest records, when all of it is known.
struct KeepNewest: Transducer {
    typealias Input = RecordItem
    typealias Output = RecordItem
    typealias InputFailure = TailFailure
    typealias Failure = TailFailure

    let count: Int
    private var kept: [Record] = []
    /// Where the oldest of those that are kept stands.
    private var oldest = 0
    private var isCaughtUp = false

    init(count: Int) {
        self.count = count
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
            send(to: &downstream)
            return downstream.next(.caughtUp)
        case .record, .caughtUp: return downstream.next(item)
        }
    }

    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<TailFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == RecordItem, Downstream.Failure == TailFailure {
        if !isCaughtUp { send(to: &downstream) }
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
    ) where Downstream.Value == RecordItem, Downstream.Failure == TailFailure {
        for index in kept.indices {
            // Whoever is below holds what comes although it has no room: few, and no more than were asked for.
            if downstream.next(.record(kept[(oldest + index) % kept.count])) == .stop { break }
        }
        kept = []
    }
}
