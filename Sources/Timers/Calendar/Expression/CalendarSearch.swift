import Zones

/// Looks for the next time that fits an expression, in the local time of a zone.
///
/// It goes through the periods in which the zone's clocks do not change. Within a period a local time and a time differ
/// by an offset. Where one period follows another, the clocks skip local times or show some of them again.
struct CalendarSearch {
    let fields: CalendarFields
    let zone: TimeZone
    /// The required state of daylight-saving time; nil when it does not matter.
    let demanded: Bool?
    let skippedTimes: CalendarSchedule.SkippedTimes
    let repeatedTimes: CalendarSchedule.RepeatedTimes

    /// More than two clocks can differ by, in seconds: no clock is more than 26 hours from UTC.
    private static var maxChange: Int64 { 53 * 3600 }
    private static var unit: Int64 { Int64(CalendarComponent.microsecondsPerSecond) }

    /// - Parameter microseconds: since 1970.
    /// - Returns: the first time after that, or nil when none comes before 2200.
    func next(after microseconds: Int64) -> Int64? {
        guard microseconds < CalendarFields.end else { return nil }
        var from = max(microseconds + 1, 0)
        var period = zone.period(at: from / Self.unit)
        while true {
            let offset = period.offset * Self.unit
            var local = from + offset
            // The period before matters for the first times of a period alone.
            if period.start > .min, from / Self.unit - period.start < Self.maxChange {
                let before = zone.period(at: period.start - 1)
                let start = period.start * Self.unit
                if from == start, isRunAfterSkipping(before, period) { return start }
                if repeatedTimes == .first, isShown(before) { local = max(local, start + before.offset * Self.unit) }
            }
            let found = fields.next(from: local).map { $0 - offset }
            if let found, isShown(period), found / Self.unit < period.end { return found }
            guard period.end < .max else { return nil }
            var next = period.end
            // Unless the period after this one may show the same local times again, no local time before the one that was
            // found fits in any, and the periods that end well before it are passed over.
            if period.end - from / Self.unit > Self.maxChange {
                guard let found else { return nil }
                next = max(next, found / Self.unit - Self.maxChange)
            }
            period = zone.period(at: next)
            guard period.start < CalendarFields.end / Self.unit else { return nil }
            from = period.start * Self.unit
        }
    }

    /// The first local time that fits and that the clocks skip at the start of a period; nil when there is none.
    func firstSkipped(between before: TimeZone.Period, and period: TimeZone.Period) -> Int64? {
        guard before.offset < period.offset, isShown(before) || isShown(period) else { return nil }
        let end = (period.start + period.offset) * Self.unit
        return fields.next(from: (period.start + before.offset) * Self.unit).flatMap { $0 < end ? $0 : nil }
    }

    private func isShown(_ period: TimeZone.Period) -> Bool {
        demanded == nil || demanded == period.isDaylightSaving
    }

    private func isRunAfterSkipping(_ before: TimeZone.Period, _ period: TimeZone.Period) -> Bool {
        skippedTimes == .runAfter && isShown(period) && firstSkipped(between: before, and: period) != nil
    }
}
