import Zones

/// A point in time, to the nanosecond, in the years 1 to 9999 of the Gregorian calendar, as CEL bounds it.
struct Timestamp: Hashable, Comparable, Sendable {
    /// Since 1970-01-01T00:00:00Z.
    let seconds: Int64

    /// 0 to 999 999 999, counted forward from `seconds`.
    let nanoseconds: Int32

    static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    private static let billion: Int64 = 1_000_000_000

    /// `nil` outside the years 1 to 9999.
    init?(seconds: Int64, nanoseconds: Int32 = 0) {
        guard Self.secondsRange.contains(seconds) else { return nil }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// `nil` outside the years 1 to 9999.
    init?(microseconds: Int64) {
        let (seconds, rest) = microseconds.flooredQuotientAndRemainder(dividingBy: 1_000_000)
        self.init(seconds: seconds, nanoseconds: Int32(rest) * 1000)
    }

    static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// `nil` when the result leaves the years 1 to 9999.
    func advanced(byNanoseconds amount: Int64) -> Timestamp? {
        let (wholeSeconds, rest) = amount.flooredQuotientAndRemainder(dividingBy: Self.billion)
        let nanoseconds = Int64(self.nanoseconds) + rest
        // Neither sum can overflow: both are far below 2^62.
        return Timestamp(
            seconds: seconds + wholeSeconds + nanoseconds / Self.billion,
            nanoseconds: Int32(nanoseconds % Self.billion)
        )
    }

    /// In nanoseconds; `nil` when that does not fit into 64 bits, about 292 years.
    func since(_ earlier: Timestamp) -> Int64? {
        let (product, overflow) = (seconds - earlier.seconds).multipliedReportingOverflow(by: Self.billion)
        let (sum, carry) = product.addingReportingOverflow(Int64(nanoseconds) - Int64(earlier.nanoseconds))
        return overflow || carry ? nil : sum
    }
}
