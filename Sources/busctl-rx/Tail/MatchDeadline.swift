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
    /// When the writing in progress began; of several, the first.
    private var held: TimerInstant?
    /// How many are in progress.
    private var holds = 0
    private var hasMatched = false
    /// No timer is scheduled.
    private var isAsleep = false

    init(_ limit: Duration, from now: TimerInstant) {
        self.limit = limit
        deadline = now.advanced(by: limit)
    }

    /// Writing begins.
    mutating func hold(at now: TimerInstant) {
        if holds == 0 { held = now }
        holds += 1
    }

    /// The writing is over. After a match the counting begins anew, with the end of the last writing in progress. Answers for
    /// when to schedule a timer, if none is scheduled.
    mutating func release(at now: TimerInstant, afterMatch: Bool) -> TimerInstant? {
        guard holds > 0 else { return nil }
        holds -= 1
        hasMatched = hasMatched || afterMatch
        guard holds == 0, let held = held.take() else { return nil }
        deadline = hasMatched ? now.advanced(by: limit) : deadline + (now - held)
        defer { (isAsleep, hasMatched) = (false, false) }
        return isAsleep ? deadline : nil
    }

    /// A timer has fired. To be asked and answered in one step, for the writing may end at any time.
    mutating func look(at now: TimerInstant) -> Look {
        isAsleep = held != nil
        if isAsleep { return .asleep }
        return deadline <= now ? .silence : .early(deadline)
    }
}
