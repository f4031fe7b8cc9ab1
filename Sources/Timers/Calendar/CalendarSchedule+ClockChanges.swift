import Zones

extension CalendarSchedule {
    /// Which of two times it is that the clocks show alike.
    package enum Repetition: Sendable, Equatable {
        case first
        case second
    }

    /// Nil for a time whose local time the clocks show once.
    package func repetition(of instant: TimerInstant) -> Repetition? {
        let second = instant.nanoseconds.flooredQuotient(1_000_000_000)
        let period = zone.zone.period(at: second)
        if period.start > .min, period.start + zone.zone.period(at: period.start - 1).offset > second + period.offset {
            return .second
        }
        guard period.end < .max else { return nil }
        return period.end + zone.zone.period(at: period.end).offset <= second + period.offset ? .first : nil
    }

    /// Local times of the schedule that a change of the clocks skips.
    package struct SkippedSpan: Sendable {
        /// When the clocks change.
        package let change: TimerInstant
        /// The first of the local times, such as `Sun 2026-03-29 02:30:00`.
        package let first: String
        /// Whether there are others.
        package let hasMore: Bool
        /// What the clocks show before the change and after it, such as `02:00:00` and `03:00:00`.
        package let clocksBefore: String
        package let clocksAfter: String
    }

    /// What changes of the clocks skip after `start` and up to `end`.
    package func skippedSpans(after start: TimerInstant, until end: TimerInstant) -> [SkippedSpan] {
        let last = end.nanoseconds.flooredQuotient(1_000_000_000)
        var period = zone.zone.period(at: max(start.nanoseconds.flooredQuotient(1_000_000_000), 0))
        var spans: [SkippedSpan] = []
        while period.end <= last {
            let next = zone.zone.period(at: period.end)
            if let first = search.firstSkipped(between: period, and: next) { spans.append(span(first, period, next)) }
            period = next
        }
        return spans
    }

    private func span(_ first: Int64, _ before: TimeZone.Period, _ after: TimeZone.Period) -> SkippedSpan {
        let (start, end) = ((after.start + before.offset) * 1_000_000, (after.start + after.offset) * 1_000_000)
        func time(_ local: Int64) -> String {
            let days = end / CalendarFields.microsecondsPerDay - start / CalendarFields.microsecondsPerDay
            return days == 0
                ? ZoneInfo.text(time: local.flooredRemainder(CalendarFields.microsecondsPerDay))
                : ZoneInfo.text(local: local)
        }
        return SkippedSpan(
            change: TimerInstant(nanoseconds: after.start * 1_000_000_000),
            first: ZoneInfo.text(local: first),
            hasMore: search.fields.next(from: first + 1).map { $0 < end } ?? false,
            clocksBefore: time(start),
            clocksAfter: time(end)
        )
    }
}
