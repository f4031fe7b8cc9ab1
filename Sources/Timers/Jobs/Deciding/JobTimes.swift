/// When the runs of a calendar's times are due.
struct JobTimes: Sendable {
    let offset: CalendarOffset

    var schedule: CalendarSchedule { offset.schedule }

    init(_ schedule: CalendarSchedule, jitter: Jitter) {
        offset = jitter.offset(for: schedule)
    }

    /// The first time after those that are done, if it is due by `now`.
    func firstDue(after done: TimerInstant, by now: TimerInstant) -> TimerInstant? {
        schedule.next(after: done).flatMap { offset.due($0) <= now ? $0 : nil }
    }
}
