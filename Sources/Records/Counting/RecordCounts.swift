/// What records are counted by: the values of some fields together, and spans of time.
public struct RecordGrouping: Sendable, Hashable {
    /// The fields; records with the same values of all of them belong together. A record without a field is as one with a value of its
    /// own.
    public let fields: [FieldPath]
    /// How long a span is, in microseconds; `nil` where all times are one.
    package let span: Int64?
    /// Whether entries of a journal are counted at the time of their receipt, which a journal is sorted by, and not at the time that is
    /// shown.
    package private(set) var usesReceipt = false

    /// - Parameters:
    ///   - fields: the fields; none for all records together.
    ///   - span: how long a span of time is, at least a microsecond; `nil` for all times together. Spans begin at whole multiples of their
    ///     length since 1970-01-01T00:00:00Z.
    public init(fields: [FieldPath] = [], every span: Duration? = nil) {
        self.fields = fields
        self.span = span.map { span in
            let (seconds, attoseconds) = span.components
            let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000)
            return isBeyond ? .max : max(1, whole + attoseconds / 1_000_000_000_000)
        }
    }

    /// The same by the times of receipt.
    package var byReceipt: RecordGrouping {
        var grouping = self
        grouping.usesReceipt = true
        return grouping
    }

    /// The fields' values, `nil` where the record has none.
    public func values(of record: Record) -> [String?] { fields.map { record.text(of: $0) } }

    /// When the span of a time begins, in microseconds since 1970-01-01T00:00:00Z; zero without spans.
    public func begin(of time: Int64) -> Int64 {
        guard let span else { return 0 }
        let rest = time % span
        let (begin, isBeyond) = time.subtractingReportingOverflow(rest < 0 ? rest + span : rest)
        return isBeyond ? .min : begin
    }
}

/// How many records there were: for each combination of values of some fields, and for each span of time.
///
/// Counts add up: those of the parts are together those of the whole, whatever the order.
public struct RecordCounts: Sendable {
    /// What the records of one count have in common.
    public struct Key: Hashable, Sendable {
        /// When the span begins, in microseconds since 1970-01-01T00:00:00Z; zero without spans.
        public let time: Int64
        /// The fields' values, `nil` where a record has none.
        public let values: [String?]

        /// - Parameters:
        ///   - time: when the span begins; zero without spans.
        ///   - values: the fields' values.
        public init(time: Int64, values: [String?]) {
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
    public var withoutSpans: RecordCounts {
        counts.reduce(into: RecordCounts()) { $0.add($1.value, of: Key(time: 0, values: $1.key.values)) }
    }

    /// Takes out the spans that are over at a time.
    package mutating func takeRows(before time: Int64, in grouping: RecordGrouping) -> [Row] {
        guard let span = grouping.span else { return [] }
        let over = rows.filter { $0.key.time + span <= time }
        for row in over { counts[row.key] = nil }
        return over
    }
}
