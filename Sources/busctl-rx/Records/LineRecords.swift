import Bus
import FileBridge
import Records

/// Makes records of lines; lines that were read together become records together.
struct LineRecords: Transducer {
    typealias Input = LineItem
    typealias Output = [RecordItem]
    typealias InputFailure = TailFailure
    typealias Failure = TailFailure

    /// A line as it was understood.
    enum Reading {
        case content(any RecordContent, time: Int64?)
        /// Not of the expected kind: it is shown as it is.
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
