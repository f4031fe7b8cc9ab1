import Records

/// Counts over time, as they are drawn: a number of equal steps, each of whole spans of the counting.
struct Timeline: Equatable {
    /// The length of a step, in microseconds.
    let span: Int64
    /// When the first step begins, in microseconds since 1970.
    let begin: Int64
    let columns: Int

    /// How many records there are in a step.
    struct Step: Equatable {
        var total = 0
        /// Those that are an error or worse.
        var errors = 0
        var warnings = 0
    }

    private static let lengths: [Int64] = {
        let second: Int64 = 1_000_000
        let short = [1, 2, 5, 10, 20, 50, 100, 200, 500].map { Int64($0) }
        let seconds: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200]
        let days: [Int64] = [1, 2, 7, 14, 28, 91, 182, 364, 728, 3640, 36400]
        return short + short.map { $0 * 1000 } + seconds.map { $0 * second } + days.map { $0 * 86400 * second }
    }()

    /// The shortest steps with which all times have a column.
    init(over times: ClosedRange<Int64>, columns: Int) {
        let columns = max(1, min(columns, 1000))
        var (span, begin) = (Int64(1), times.lowerBound)
        for length in Self.lengths {
            span = length
            begin = RecordGrouping(every: .microseconds(length)).begin(of: times.lowerBound)
            let (width, isBeyond) = times.upperBound.subtractingReportingOverflow(begin)
            if !isBeyond, width / length < Int64(columns) { break }
        }
        self.span = span
        self.begin = begin
        let last = (times.upperBound.subtractingReportingOverflow(begin).partialValue) / span
        self.columns = Int(min(max(0, last), Int64(columns) - 1)) + 1
    }

    /// Records are counted by this for it.
    var grouping: RecordGrouping {
        RecordGrouping(fields: [FieldPath(name: "severity")], every: .microseconds(span))
    }

    func column(of time: Int64) -> Int? {
        let (distance, isBeyond) = time.subtractingReportingOverflow(begin)
        guard !isBeyond, distance >= 0, distance / span < Int64(columns) else { return nil }
        return Int(distance / span)
    }

    func times(of column: Int) -> ClosedRange<Int64> {
        let first = begin + Int64(column) * span
        return first...(first + span - 1)
    }

    func steps(_ counts: RecordCounts) -> [Step] {
        var steps = [Step](repeating: Step(), count: columns)
        for (key, count) in counts.counts {
            guard let column = column(of: key.time.microseconds) else { continue }
            steps[column].total += count
            switch key.values.first.flatMap({ $0 }).flatMap({ Severity(name: $0.utf8) }) {
            case .some(...(.error)): steps[column].errors += count
            case .warning: steps[column].warnings += count
            default: break
            }
        }
        return steps
    }
}
