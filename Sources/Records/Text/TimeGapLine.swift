/// A line between records that lie far apart in time: `-- 3min 12s --`.
package struct TimeGapLine: Sendable {
    private let minGap: Int64
    private var last: Int64?

    /// - Parameter minGap: the largest time between records that needs no line; `nil` for no such lines at all.
    package init?(_ minGap: Duration?) {
        guard let minGap else { return nil }
        self.minGap = minGap.wholeMicroseconds
    }

    /// Writes the line, if one belongs before a record of this time, in microseconds since 1970.
    package mutating func separate(_ time: Int64, into output: inout OutputBuffer) {
        defer { last = time }
        guard let last else { return }
        let (difference, overflow) = time.subtractingReportingOverflow(last)
        guard overflow || difference.magnitude > minGap else { return }
        output.append("-- ")
        output.append(text: Self.text(overflow ? .max : difference.magnitude))
        if time < last { output.append(" back") }
        output.append(" --\n")
    }

    private static let units: [(name: String, microseconds: UInt64)] = [
        ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1),
    ]

    /// The two largest units that are not zero: `2d 4h`, `3min 12s`, `1s 500ms`.
    package static func text(_ microseconds: UInt64) -> String {
        let first = units.firstIndex { microseconds >= $0.microseconds } ?? units.count - 1
        var rest = microseconds
        return units[first...].prefix(2).compactMap { unit in
            let count = rest / unit.microseconds
            rest %= unit.microseconds
            return count > 0 ? "\(count)\(unit.name)" : nil
        }.joined(separator: " ")
    }
}
