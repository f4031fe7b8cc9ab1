import Bus
import DescriptorBridge
import FileBridge
import Records

/// The times of lines, of which not all say one.
struct LineTimes {
    /// Whether what was there at the beginning has been read.
    var isLive = false
    private var last: (time: RecordTime, readAt: RecordTime)?

    /// How much later a line may be read that belongs to the one before it.
    private static let pause = Duration.seconds(1)

    /// A line without a time has that of the line before it, so that the order of a file is that of its times. It has the
    /// time when it was read if there is no such line, or where lines are read as they are written and the other one is old.
    ///
    /// - Parameter known: the time in the line.
    mutating func time(_ known: RecordTime?, readAt now: RecordTime) -> RecordTime {
        if let known {
            last = (known, now)
            return known
        }
        guard let last, !isLive || last.readAt.duration(to: now) < Self.pause else { return now }
        return last.time
    }
}

/// Makes records of lines; lines that were read together become records together.
struct LineReading: Transducer {
    typealias Input = LineItem
    typealias Output = [RecordItem]
    typealias InputFailure = SourceError
    typealias Failure = SourceError

    /// A line as it was understood.
    enum Reading {
        case content(any RecordContent, time: RecordTime?)
        /// Not of the expected kind: it is shown as it is.
        case other
    }

    let request: SourceRequest
    let read: @Sendable ([UInt8]) -> Reading
    let isWanted: @Sendable (Record) -> Bool
    private let tellsPlaces: Bool
    /// Whether a place is known by which a later reader goes on.
    private var hasPlace: Bool
    private var number: UInt64 = 0
    /// How many of the records have the rest of a line.
    private var rests: UInt64 = 0
    private var times = LineTimes()
    /// Whether reading begins with the first line.
    private let isNumbered: Bool
    private var hasToldOfPieces = false

    /// - Parameter isNumbered: whether reading begins with the first line, so that a line's number is known.
    init(_ request: SourceRequest, _ format: LineRecords.Format, isNumbered: Bool) {
        self.request = request
        self.isNumbered = isNumbered
        isWanted = request.selects
        tellsPlaces = request.tellsPlaces
        hasPlace = if case .behind = request.start { true } else { false }
        read =
            switch format {
            case .json: { Self.json($0) }
            case .logfmt: { Self.logfmt($0) }
            case .lines: { Self.line($0) }
            }
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ item: LineItem,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == [RecordItem], Downstream.Failure == SourceError {
        var records: [RecordItem] = []
        switch item {
        case .caughtUp:
            times.isLive = true
            records.append(.caughtUp)
        case .gap(let message):
            let gap = Record.gap(lost: nil, source: request.name, time: .now, sequence: number, message: message)
            records.append(.record(gap))
        case .line(let line):
            if let record = record(line, now: .now) { records.append(.record(record)) }
        case .lines(let lines):
            if tellsPlaces {
                guard let beginning = lines.place(behind: 0) else {
                    request.note(.message("the last line is not finished, and is left to the next run"))
                    return downstream.demand
                }
                if !hasPlace { records.append(.place(beginning.description)) }
                hasPlace = true
            }
            let now = RecordTime.now
            var isRest = lines.isRest
            lines.forEach { line, end in
                let isContinued = lines.isContinued && end == lines.bytes.count
                let record = record(LineBytes(bytes: line, isContinued: isContinued, isRest: isRest), now: now)
                isRest = false
                if let record { records.append(.record(record)) }
                // Lines that the filter does not choose are passed over together.
                if tellsPlaces, record != nil || end == lines.bytes.count, let place = lines.place(behind: end) {
                    records.append(.place(place.description))
                }
            }
        }
        return records.isEmpty ? downstream.demand : downstream.next(records)
    }

    private mutating func record(_ line: LineBytes, now: RecordTime) -> Record? {
        number += 1
        if line.isRest { rests += 1 }
        if line.isContinued { tellOfPieces() }
        let record: Record
        func time(_ known: RecordTime?) -> RecordTime {
            times.time(known?.shifted(by: request.shift), readAt: now)
        }
        switch read(line.bytes) {
        case .content(let content, let known):
            record = Record(source: request.name, time: time(known), sequence: number, content: content)
        case .other:
            // No piece can be of the format.
            if !line.isContinued, !line.isRest { request.note(.malformed(line: number - rests)) }
            record = Record(source: request.name, time: time(nil), sequence: number, content: Self.text(line.bytes))
        }
        return isWanted(record) ? record : nil
    }

    /// Says once that a line is too long.
    private mutating func tellOfPieces() {
        guard !hasToldOfPieces else { return }
        hasToldOfPieces = true
        request.note(
            .message(
                "\(isNumbered ? "line \(number - rests)" : "a line") is longer than 1 MiB, and comes in pieces, each a record; further"
                    + " such lines are not reported"
            )
        )
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
        .content(
            text(line),
            time: line.withUnsafeBytes { RecordTime.begin(of: $0)?.time }
        )
    }

    private static func text(_ line: [UInt8]) -> RecordFields { RecordFields(message: line) }
}
