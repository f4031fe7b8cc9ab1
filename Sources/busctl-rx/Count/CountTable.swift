import Records

/// How many records there were: for each combination of values of some fields, and for each span of time.
struct CountTable: Sendable {
    struct Key: Hashable, Sendable {
        /// When the span begins, in microseconds since 1970; zero without spans.
        let time: Int64
        /// The fields' values, `nil` where a record has none.
        let values: [String?]
    }

    struct Row: Sendable {
        let key: Key
        let count: Int
    }

    /// The largest number of combinations; records of others are counted together.
    private static let maxRows = 100_000

    let fields: [FieldPath]
    /// How long a span is, in microseconds.
    let span: Int64?
    private(set) var counts: [Key: Int] = [:]
    /// Records of combinations beyond the limit.
    private(set) var others = 0
    private(set) var total = 0

    init(fields: [FieldPath], span: Int64?) {
        self.fields = fields
        self.span = span
    }

    mutating func add(_ record: Record) {
        total += 1
        let key = Key(time: span.map { begin(of: record.time, $0) } ?? 0, values: fields.map { record.text(of: $0) })
        if counts[key] == nil, counts.count >= Self.maxRows {
            others += 1
        } else {
            counts[key, default: 0] += 1
        }
    }

    /// Spans begin at whole multiples of their length since 1970.
    private func begin(of time: Int64, _ span: Int64) -> Int64 {
        let rest = time % span
        return time - (rest < 0 ? rest + span : rest)
    }

    /// Spans in order, and in each of them, or without spans, the most frequent first.
    var rows: [Row] {
        counts.map { Row(key: $0.key, count: $0.value) }.sorted { one, other in
            if one.key.time != other.key.time { return one.key.time < other.key.time }
            if one.count != other.count { return one.count > other.count }
            return zip(one.key.values, other.key.values).first { $0 != $1 }
                .map { ($0.0 ?? "") < ($0.1 ?? "") } ?? false
        }
    }

    /// Takes out the spans that are over at a time.
    mutating func takeRows(before time: Int64) -> [Row] {
        guard let span else { return [] }
        let over = rows.filter { $0.key.time + span <= time }
        for row in over { counts[row.key] = nil }
        return over
    }
}
