/// A choice of fields, and of a length of time, by which records are counted.
package struct RecordGrouping: Sendable {
    package let fields: [FieldPath]
    /// How long a span is, in microseconds; `nil` where all times are one.
    package let span: Int64?

    package init(fields: [FieldPath] = [], span: Int64? = nil) {
        self.fields = fields
        self.span = span
    }

    package func values(of record: Record) -> [String?] { fields.map { record.text(of: $0) } }

    /// When the span of a time begins, in microseconds since 1970; zero without spans. Spans begin at whole multiples of their length
    /// since 1970.
    package func begin(of time: Int64) -> Int64 {
        guard let span else { return 0 }
        let rest = time % span
        return time - (rest < 0 ? rest + span : rest)
    }
}

/// How many records there were: for each combination of values of some fields, and for each span of time.
///
/// Counts add up: those of the parts are together those of the whole, whatever the order.
package struct RecordCounts: Sendable {
    package struct Key: Hashable, Sendable {
        /// When the span begins, in microseconds since 1970; zero without spans.
        package let time: Int64
        /// The fields' values, `nil` where a record has none.
        package let values: [String?]

        package init(time: Int64, values: [String?]) {
            self.time = time
            self.values = values
        }
    }

    package struct Row: Sendable {
        package let key: Key
        package let count: Int

        package init(key: Key, count: Int) {
            self.key = key
            self.count = count
        }
    }

    /// The largest number of combinations; records of others are counted together.
    private static let maxRows = 100_000

    package private(set) var counts: [Key: Int] = [:]
    /// Records of combinations beyond the limit.
    package private(set) var others = 0
    package private(set) var total = 0

    package init() {}

    package mutating func add(_ record: Record, in grouping: RecordGrouping) {
        add(1, of: Key(time: grouping.begin(of: record.time), values: grouping.values(of: record)))
    }

    package mutating func add(_ count: Int, of key: Key) {
        total += count
        if counts[key] == nil, counts.count >= Self.maxRows {
            others += count
        } else {
            counts[key, default: 0] += count
        }
    }

    /// Spans in order, and in each of them, or without spans, the most frequent first.
    package var rows: [Row] {
        counts.map { Row(key: $0.key, count: $0.value) }.sorted { one, other in
            if one.key.time != other.key.time { return one.key.time < other.key.time }
            if one.count != other.count { return one.count > other.count }
            return zip(one.key.values, other.key.values).first { $0 != $1 }
                .map { ($0.0 ?? "") < ($0.1 ?? "") } ?? false
        }
    }

    /// The counts of all spans together.
    package var withoutSpans: RecordCounts {
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
