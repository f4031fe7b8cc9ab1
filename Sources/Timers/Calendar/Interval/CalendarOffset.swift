/// How far the ticks lie behind a calendar's times. It depends on the calendar's time alone, so each subscription and
/// each run of the program gets the same ticks.
struct CalendarOffset: Sendable {
    private enum Choice: Sendable {
        case fixed(Int64)
        case random(limit: Int64, key: UInt64)
    }

    private let choice: Choice
    let schedule: CalendarSchedule

    static func fixed(_ distance: Int64, _ schedule: CalendarSchedule) -> CalendarOffset {
        CalendarOffset(choice: .fixed(distance), schedule: schedule)
    }

    /// An offset up to `limit` for each of the calendar's times. It ends before the next of them, so ticks keep the
    /// calendar's order.
    static func random(limit: Int64, key: UInt64, _ schedule: CalendarSchedule) -> CalendarOffset {
        CalendarOffset(choice: .random(limit: limit, key: key), schedule: schedule)
    }

    /// When the tick of a calendar's time is due.
    func due(_ time: TimerInstant) -> TimerInstant {
        switch choice {
        case .fixed(let distance):
            return time.advanced(byNanoseconds: distance)
        case .random(let limit, let key):
            // A time that a file tells may be centuries before the first of the calendar.
            let gap = schedule.next(after: time).map { next in
                let (gap, isBeyond) = next.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
                return isBeyond ? .max : gap - 1
            }
            var mixed = SeededRandom(seed: UInt64(bitPattern: time.nanoseconds))
            var random = SeededRandom(seed: key ^ mixed.next())
            return time.advanced(byNanoseconds: .random(in: 0...min(limit, gap ?? .max), using: &random))
        }
    }

    /// The last of the calendar's times whose tick is due at `now`. The tick of `first` is due.
    func lastDue(from first: TimerInstant, at now: TimerInstant) -> TimerInstant {
        switch choice {
        case .fixed(let distance):
            return schedule.last(from: first, until: now.advanced(byNanoseconds: -distance))
        case .random:
            // Of the times that have passed, only the last can have a tick that is not due.
            let last = schedule.last(from: first, until: now)
            if last == first || due(last) <= now { return last }
            return schedule.last(from: first, until: last.advanced(byNanoseconds: -1))
        }
    }

    /// An instant that divides the calendar's times: the ticks of those after it are due after `now`.
    func boundary(at now: TimerInstant) -> TimerInstant {
        switch choice {
        case .fixed(let distance):
            return now.advanced(byNanoseconds: -distance)
        case .random(let limit, _):
            let earliest = now.advanced(byNanoseconds: -limit)
            guard let first = schedule.next(after: earliest), first <= now else { return now }
            let last = schedule.last(from: first, until: now)
            return due(last) > now ? last.advanced(byNanoseconds: -1) : now
        }
    }
}

extension CalendarSchedule {
    /// The last time that is not after `limit`. `first` is one of the calendar's times and not after it.
    func last(from first: TimerInstant, until limit: TimerInstant) -> TimerInstant {
        // Looks back from the limit, twice as far each time, until a time lies in between.
        var found = first
        var (distance, end) = (Int64(1_000_000_000), limit)
        while true {
            let start = limit.advanced(byNanoseconds: -distance)
            guard start > first else { break }
            if let time = next(after: start), time <= limit {
                found = time
                break
            }
            end = start
            distance = distance.multipliedReportingOverflow(by: 2).overflow ? .max : distance * 2
        }
        // No time lies between `end` and the limit; halves the distance to it. Times are whole microseconds.
        while end.nanoseconds - found.nanoseconds > 1000 {
            let middle = TimerInstant(nanoseconds: found.nanoseconds + (end.nanoseconds - found.nanoseconds) / 2)
            if let time = next(after: middle), time <= limit { found = time } else { end = middle }
        }
        return next(after: found).flatMap { $0 <= limit ? $0 : nil } ?? found
    }
}
