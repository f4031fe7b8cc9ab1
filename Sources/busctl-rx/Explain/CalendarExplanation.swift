import Timers

/// What `explain --calendar` prints: the lines of `systemd-analyze calendar`, with the local times marked that the clocks
/// skip or show twice.
struct CalendarExplanation {
    private let schedule: CalendarSchedule
    private let local: ZoneInfo
    private let now: TimerInstant
    private var rows: [(label: String, value: String)] = []

    /// - Parameters:
    ///   - original: the expression as it was typed.
    ///   - count: how many times are shown.
    ///   - now: an instant of the wall clock, after which they are.
    ///   - local: the zone of the machine's clocks.
    init(_ schedule: CalendarSchedule, original: String, count: Int, now: TimerInstant, local: ZoneInfo) {
        self.schedule = schedule
        self.local = local
        self.now = now
        if original != schedule.description { rows.append(("Original form", original)) }
        rows.append(("Normalized form", schedule.description))
        var last = now
        for number in 1...count {
            let next = schedule.next(after: last)
            addSkipped(after: last, until: next ?? .distantFuture, atMost: count)
            guard let next else {
                if number == 1 { rows.append(("Next elapse", "never")) }
                break
            }
            add(next, label: number == 1 ? "Next elapse" : "Iteration #\(number)")
            last = next
        }
    }

    /// The lines, with the labels in a column of their own.
    var text: String {
        let width = rows.map(\.label.count).max() ?? 0
        return rows.map { label, value in
            String(repeating: " ", count: width - label.count) + "\(label): \(value)\n"
        }.joined()
    }

    private mutating func add(_ time: TimerInstant, label: String) {
        let own = schedule.zone.text(at: time)
        var texts: [String] = []
        for (label, zone) in [(label, local), ("(in \(schedule.zone))", schedule.zone), ("(in UTC)", .utc)] {
            let text = zone.text(at: time)
            guard !texts.contains(text) else { continue }
            texts.append(text)
            rows.append((label, text == own ? text + mark(of: time) : text))
        }
        rows.append(("From now", "\(Self.span(now.duration(to: time))) left"))
    }

    private func mark(of time: TimerInstant) -> String {
        switch schedule.repetition(of: time) {
        case .first: ", the first of two"
        case .second: ", the second of two"
        case nil: ""
        }
    }

    private mutating func addSkipped(after start: TimerInstant, until end: TimerInstant, atMost count: Int) {
        for span in schedule.skippedSpans(after: start, until: end).prefix(count) {
            let others = span.hasMore ? " and later ones" : ""
            let consequence = schedule.skippedTimes == .runAfter ? ", and it comes then" : ""
            let change = "the clocks go from \(span.clocksBefore) to \(span.clocksAfter)"
            rows.append(("Skipped", "\(span.first)\(others): \(change)\(consequence)"))
        }
    }

    /// The two greatest units, as in `2 days 3h`.
    private static func span(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        func text(_ number: Int64, _ unit: String) -> String? { number == 0 ? nil : "\(number)\(unit)" }
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        let parts = [
            text(days / 365, days / 365 == 1 ? " year" : " years"),
            text(days % 365, days % 365 == 1 ? " day" : " days"),
            text(hours, "h"), text(minutes, "min"), text(seconds % 60, "s"),
        ]
        let first = parts.firstIndex { $0 != nil }
        guard let first else { return "less than 1s" }
        return parts[first...].prefix(2).compactMap(\.self).joined(separator: " ")
    }
}
