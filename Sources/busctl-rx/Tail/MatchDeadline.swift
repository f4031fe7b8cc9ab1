import Timers

/// Until when a match has to come. The time stands still while one is being written.
struct MatchDeadline {
    /// What a timer finds when it fires.
    enum Look: Equatable {
        /// Something is being written. The end of the writing schedules the next timer.
        case asleep
        /// A match has come meanwhile; the next timer is for this instant.
        case early(TimerInstant)
        case silence
    }

    let limit: Duration
    private(set) var deadline: TimerInstant
    /// When the writing in progress began.
    private var held: TimerInstant?
    /// No timer is scheduled.
    private var isAsleep = false

    init(_ limit: Duration, from now: TimerInstant) {
        self.limit = limit
        deadline = now.advanced(by: limit)
    }

    /// Writing begins.
    mutating func hold(at now: TimerInstant) { held = now }

    /// The writing is over. After a match the counting begins anew. Answers for when to schedule a timer, if none is
    /// scheduled.
    mutating func release(at now: TimerInstant, afterMatch: Bool) -> TimerInstant? {
        guard let held = held.take() else { return nil }
        deadline = afterMatch ? now.advanced(by: limit) : deadline + (now - held)
        defer { isAsleep = false }
        return isAsleep ? deadline : nil
    }

    /// A timer has fired. To be asked and answered in one step, for the writing may end at any time.
    mutating func look(at now: TimerInstant) -> Look {
        isAsleep = held != nil
        if isAsleep { return .asleep }
        return deadline <= now ? .silence : .early(deadline)
    }
}
