import Timers

/// The deadline for a match. The time stands still while one is being written.
///
/// With `--by`, matches are grouped by the value of a field. The first match of a value sets a deadline for the next
/// match with the same value.
struct MatchDeadline {
    /// The result of a timer's check.
    enum Check: Equatable {
        /// Something is being written. The end of the writing schedules the next timer.
        case asleep
        /// A match has come meanwhile; the next timer is for this instant.
        case early(TimerInstant)
        /// No match came in time: none at all, or none with this value.
        case silence(of: String?)
    }

    /// How many values are waited for at once, at most. Further values are counted and not waited for.
    static let maxValues = 4096

    let limit: Duration
    /// One for each value that came; before the first match, and without groups, one for `nil`. On a clock that
    /// stands still while something is written.
    private var deadlines: [String?: TimerInstant]
    /// For how long that clock has stood still.
    private var stood = Duration.zero
    /// When the writing in progress began; of several, the first.
    private var held: TimerInstant?
    /// How many are in progress.
    private var holds = 0
    /// The values of the matches that were written since then.
    private var matched: Set<String?> = []
    /// No timer is scheduled.
    private var isAsleep = false
    /// How many matches had a value that is not waited for, because there are too many.
    private(set) var unwatched = 0

    init(_ limit: Duration, from now: TimerInstant) {
        self.limit = limit
        deadlines = [nil: now.advanced(by: limit)]
    }

    /// Writing begins.
    mutating func hold(at now: TimerInstant) {
        if holds == 0 { held = now }
        holds += 1
    }

    /// The writing of something other than a match is over. Returns when to schedule a timer, if none is scheduled.
    mutating func release(at now: TimerInstant) -> TimerInstant? {
        guard holds > 0 else { return nil }
        holds -= 1
        guard holds == 0, let held = held.take() else { return nil }
        stood += now - held
        let deadline = now.advanced(by: limit - stood)
        for value in matched { deadlines[value] = deadline }
        matched.removeAll(keepingCapacity: true)
        guard isAsleep else { return nil }
        isAsleep = false
        return next.deadline + stood
    }

    /// The writing of a match is over. The time for its value starts again, with the end of the last writing in
    /// progress.
    mutating func release(at now: TimerInstant, afterMatchOf value: String?) -> TimerInstant? {
        if value != nil { deadlines.removeValue(forKey: nil) }
        if deadlines[value] != nil || deadlines.count + matched.count < Self.maxValues {
            matched.insert(value)
        } else {
            unwatched += 1
        }
        return release(at: now)
    }

    /// A timer has fired. The check is one step, because the writing may end at any time.
    mutating func check(at now: TimerInstant) -> Check {
        isAsleep = held != nil
        if isAsleep { return .asleep }
        let (value, deadline) = next
        return deadline + stood <= now ? .silence(of: value) : .early(deadline + stood)
    }

    /// The deadline that comes first. All of them are compared only when a timer fires.
    private var next: (value: String?, deadline: TimerInstant) {
        let next = deadlines.min { $0.value < $1.value }
        return (next?.key, next?.value ?? .distantFuture)
    }
}
