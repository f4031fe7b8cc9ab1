package import Filter

/// The times at which wanted entries were received, in microseconds since 1970, the first and the last included.
package struct TimeWindow: Sendable, Hashable {
    package var first: UInt64 = 0
    package var last: UInt64 = .max

    package init() {}

    /// The times that the filter's comparisons with the time of receipt leave over.
    package init(_ filter: CompiledFilter) {
        let bounds = filter.bounds(of: "__REALTIME_TIMESTAMP")
        guard bounds.upper >= 0 else {
            // No entry is older than 1970.
            (first, last) = (1, 0)
            return
        }
        first = UInt64(max(bounds.lower, 0))
        if bounds.upper < .max { last = UInt64(bounds.upper) }
    }

    /// Whether it leaves anything out.
    var isLimited: Bool { first > 0 || last < .max }

    func contains(_ time: UInt64) -> Bool { time >= first && time <= last }

    /// The same, longer by so much at both ends.
    func widened(by slack: UInt64) -> TimeWindow {
        guard first <= last else { return self }
        var window = self
        window.first = first > slack ? first - slack : 0
        window.last = last.addingReportingOverflow(slack).overflow ? .max : last + slack
        return window
    }
}
