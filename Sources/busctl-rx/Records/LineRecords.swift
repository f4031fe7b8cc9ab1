import Bus
import Records

/// What is read of a file or a stream of lines.
enum LineItem: Sendable {
    case line([UInt8])
    /// For a person: something is missing here.
    case gap(String)
    case caughtUp
}

/// Makes records of lines.
struct LineRecords: Transducer {
    typealias Input = LineItem
    typealias Output = RecordItem
    typealias InputFailure = TailFailure
    typealias Failure = TailFailure

    /// What a line was found to be.
    enum Reading {
        case content(any RecordContent, time: Int64?)
        /// Not what was expected: it is shown as it is.
        case other
    }

    let source: String
    let malformed: MalformedLines
    let read: @Sendable ([UInt8]) -> Reading
    var number: UInt64 = 0

    init(source: String, malformed: MalformedLines, read: @escaping @Sendable ([UInt8]) -> Reading) {
        self.source = source
        self.malformed = malformed
        self.read = read
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ item: LineItem,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == TailFailure {
        switch item {
        case .caughtUp: return downstream.next(.caughtUp)
        case .gap(let message):
            let time = Record.now
            return downstream.next(
                .record(.gap(lost: nil, source: source, time: time, sequence: number, message: message))
            )
        case .line(let line):
            number += 1
            switch read(line) {
            case .content(let content, let time):
                let record = Record(source: source, time: time ?? Record.now, sequence: number, content: content)
                return downstream.next(.record(record))
            case .other:
                malformed.count(source, line: number)
                let content = Self.text(line)
                return downstream.next(
                    .record(Record(source: source, time: Record.now, sequence: number, content: content))
                )
            }
        }
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
                ? "\(source): line \(lines.first) is not of the format that was expected, and is shown as text"
                : "\(source): \(lines.count) lines are not of the format that was expected, and are shown as text; the first is line"
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
