public import Timers

/// What records are counted by: the values of some fields together, and spans of time.
public struct RecordGrouping: Sendable, Hashable {
    /// The fields; records with the same values of all of them belong together. A record without a field is as one with a value of its
    /// own.
    public let fields: [FieldPath]
    /// How long a span is, in microseconds; `nil` where all times are one, or spans go by a calendar.
    package let span: Int64?
    /// When spans begin that are not all of one length.
    package let calendar: CalendarSchedule?
    /// Whether entries of a journal are counted at the time of their receipt, which a journal is sorted by, and not at the time that is
    /// shown.
    package private(set) var usesReceipt = false

    /// - Parameters:
    ///   - fields: the fields; none for all records together.
    ///   - span: how long a span of time is, at least a microsecond; `nil` for all times together. Spans begin at whole multiples of their
    ///     length since 1970-01-01T00:00:00Z.
    public init(fields: [FieldPath] = [], every span: Duration? = nil) {
        self.fields = fields
        calendar = nil
        self.span = span.map { max(1, $0.wholeMicroseconds) }
    }

    /// - Parameters:
    ///   - fields: the fields; none for all records together.
    ///   - calendar: a span begins at each of its times. The time before the first one is a span of its own.
    public init(fields: [FieldPath] = [], every calendar: CalendarSchedule) {
        self.fields = fields
        self.calendar = calendar
        span = nil
    }

    /// 0001-01-01T00:00:00Z: the begin of the first span, which has to be written and read with a year of four digits.
    fileprivate static let earliest: Int64 = -62_135_596_800_000_000

    /// Whether each span of time is counted by itself.
    package var hasSpans: Bool { span != nil || calendar != nil }

    /// The same by the times of receipt.
    package var byReceipt: RecordGrouping {
        var grouping = self
        grouping.usesReceipt = true
        return grouping
    }

    /// The fields' values, `nil` where the record has none.
    public func values(of record: Record) -> [String?] { fields.map { record.text(of: $0) } }

    /// When the span of a time begins; 1970-01-01T00:00:00Z without spans. The first span begins at 0001-01-01T00:00:00Z.
    public func begin(of time: RecordTime) -> RecordTime { RecordTime(microseconds: begin(of: time.microseconds)) }

    /// The same in microseconds.
    package func begin(of time: Int64) -> Int64 { hasSpans ? span(of: time).lowerBound : 0 }

    /// The span of a time; all times without spans. A time before the first span belongs to it.
    package func span(of time: Int64) -> Range<Int64> {
        let time = max(time, Self.earliest)
        if let calendar { return calendar.span(of: time) }
        guard let span else { return .min ..< .max }
        let rest = time % span
        // No overflow: it is the first multiple below zero, or less than a short span before the earliest time.
        let begin = time - (rest < 0 ? rest + span : rest)
        let (end, isBeyond) = begin.addingReportingOverflow(span)
        return max(begin, Self.earliest)..<(isBeyond ? .max : end)
    }
}

extension CalendarSchedule {
    /// The last time that is not later, and the next one, in microseconds since 1970.
    fileprivate func span(of time: Int64) -> Range<Int64> {
        // There are none before 1970, nor after 2200.
        let last = max(min(time, .max / 1000), -1)
        func next(after time: Int64) -> Int64? {
            self.next(after: TimerInstant(nanoseconds: max(time, -1) * 1000)).map { $0.nanoseconds / 1000 }
        }
        // Times are found forward alone: further and further back, until there is one that is not later.
        var reach: Int64 = 1_000_000
        while reach < Int64.max / 8 {
            let start = last - reach
            if var begin = next(after: start), begin <= last {
                // None are after this one. It comes nearer by half each time, because a calendar may have a time in each second.
                var end = last
                while let later = next(after: begin), later <= last {
                    let middle = later + (end - later) / 2
                    if let found = next(after: middle), found <= last {
                        begin = found
                    } else {
                        (begin, end) = (later, middle)
                    }
                }
                return begin..<(next(after: begin) ?? .max)
            }
            if start < 0 { break }
            reach *= 4
        }
        return RecordGrouping.earliest..<(next(after: last) ?? .max)
    }
}

/// How many records there were: for each combination of values of some fields, and for each span of time.
///
/// Counts add up: those of the parts are together those of the whole, whatever the order.
public struct RecordCounts: Sendable {
    /// What the records of one count have in common.
    public struct Key: Hashable, Sendable {
        /// When the span begins; 1970-01-01T00:00:00Z without spans.
        public let time: RecordTime
        /// The fields' values, `nil` where a record has none.
        public let values: [String?]

        /// - Parameters:
        ///   - time: when the span begins; 1970-01-01T00:00:00Z without spans.
        ///   - values: the fields' values.
        public init(time: RecordTime, values: [String?]) {
            self.time = time
            self.values = values
        }
    }

    /// One of the counts.
    public struct Row: Sendable {
        /// What is counted.
        public let key: Key
        /// How many records there are.
        public let count: Int

        /// A count of records.
        public init(key: Key, count: Int) {
            self.key = key
            self.count = count
        }

        fileprivate static func precedes(_ one: Row, _ other: Row) -> Bool {
            if one.key.time != other.key.time { return one.key.time < other.key.time }
            if one.count != other.count { return one.count > other.count }
            return zip(one.key.values, other.key.values).first { $0 != $1 }
                .map { ($0.0 ?? "") < ($0.1 ?? "") } ?? false
        }
    }

    /// The largest number of combinations; records of others are counted together.
    static let maxRows = 100_000

    /// The counts, of at most 100,000 combinations.
    public private(set) var counts: [Key: Int] = [:]
    /// Records of combinations beyond the limit. They are part of the total.
    public private(set) var others = 0
    /// How many records there are.
    public private(set) var total = 0

    /// Counts of nothing.
    public init() {}

    /// Counts one record.
    public mutating func add(_ record: Record, in grouping: RecordGrouping) {
        add(1, of: Key(time: grouping.begin(of: record.time), values: grouping.values(of: record)))
    }

    /// Counts so many more records.
    public mutating func add(_ count: Int, of key: Key) {
        let count = min(count, .max - total)
        total += count
        if counts[key] == nil, counts.count >= Self.maxRows {
            others += count
        } else {
            counts[key, default: 0] += count
        }
    }

    /// Adds the counts of another part of the same records.
    ///
    /// - Returns: false, with nothing added, where the total would be too large for a number.
    package mutating func add(_ part: RecordCounts) -> Bool {
        // No count is larger than the total.
        guard !total.addingReportingOverflow(part.total).overflow else { return false }
        if total == 0 {
            self = part
            return true
        }
        for (key, count) in part.counts { add(count, of: key) }
        addOthers(part.others)
        return true
    }

    /// Counts so many more records of combinations beyond the limit.
    mutating func addOthers(_ count: Int) {
        total += count
        others += count
    }

    /// Spans in order, and in each of them, or without spans, the most frequent first.
    public var rows: [Row] { counts.map { Row(key: $0.key, count: $0.value) }.sorted(by: Row.precedes) }

    /// The first of these rows.
    public func rows(first limit: Int) -> [Row] {
        var rows: [Row] = []
        for (key, count) in counts {
            let row = Row(key: key, count: count)
            if rows.count >= limit {
                guard let last = rows.last, Row.precedes(row, last) else { continue }
                rows.removeLast()
            }
            rows.insert(row, at: rows.firstIndex { Row.precedes(row, $0) } ?? rows.count)
        }
        return rows
    }

    /// The counts of all spans together.
    package var withoutSpans: RecordCounts {
        counts.reduce(into: RecordCounts()) {
            $0.add($1.value, of: Key(time: RecordTime(microseconds: 0), values: $1.key.values))
        }
    }

    /// Takes out the spans that are over at a time.
    package mutating func takeRows(before time: Int64, in grouping: RecordGrouping) -> [Row] {
        guard grouping.hasSpans else { return [] }
        let over = rows.filter { grouping.span(of: $0.key.time.microseconds).upperBound <= time }
        for row in over { counts[row.key] = nil }
        return over
    }
}
