/// One attempt to do a job for one of its times.
public struct JobRun: Sendable, Hashable, CustomStringConvertible {
    /// The job's name.
    public let job: String
    /// The id of a one-shot; nil for a time of a calendar.
    public let id: String?
    /// The calendar's time, without a delay, or the one-shot's.
    public let time: TimerInstant
    /// 1 for the first attempt.
    public let attempt: Int
    /// How many of the calendar's times since the run before this were left out, counted to 100,000. 0 for one-shots.
    public let missed: Int
    /// The fencing number. Each attempt has a higher one than all that began before it, also on other machines and in
    /// earlier runs of the program. What the run writes to can keep the highest number that it has seen, and refuse
    /// a lower one: it comes from a run that lost its lease and does not know it yet.
    public let number: UInt64

    package init(job: String, id: String? = nil, time: TimerInstant, attempt: Int, missed: Int, number: UInt64) {
        self.job = job
        self.id = id
        self.time = time
        self.attempt = attempt
        self.missed = missed
        self.number = number
    }

    /// Such as `nightly 2026-03-02T02:30:00Z, attempt 2`.
    public var description: String {
        let name = id.map { "\(job) \($0)" } ?? job
        return "\(name) \(time.iso8601)" + (attempt > 1 ? ", attempt \(attempt)" : "")
    }
}
