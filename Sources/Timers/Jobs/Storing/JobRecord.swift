/// What is kept of a job: the times that are done, the runs that have begun or wait, and the last fencing number. A store
/// keeps its ``text``.
public struct JobRecord: Sendable, Hashable {
    /// A run that has begun, or waits to begin.
    struct Entry: Sendable, Hashable {
        /// Tells attempts that wait apart.
        struct Key: Sendable, Hashable {
            var id: String?
            var time: TimerInstant
            var attempt: Int
        }

        /// Of a one-shot; nil for a time of a calendar.
        var id: String?
        var time: TimerInstant
        var attempt = 1
        var missed = 0
        /// The fencing number of an attempt that has begun; nil while the run waits.
        var number: UInt64?

        var key: Key { Key(id: id, time: time, attempt: attempt) }

        func run(_ job: String, number: UInt64) -> JobRun {
            JobRun(job: job, id: id, time: time, attempt: attempt, missed: missed, number: number)
        }
    }

    /// How a run ended.
    enum End: String, Sendable, Hashable, CaseIterable {
        case succeeded, failed, timedOut = "timed-out", cancelled, abandoned
    }

    /// The run that ended last.
    struct Last: Sendable, Hashable {
        var entry: Entry
        var end: End
    }

    /// How often the record was written. A store takes a record only if it has the one before.
    public internal(set) var revision: UInt64 = 0
    /// The calendar's time up to which all times have begun, wait, or were skipped.
    var done: TimerInstant
    /// The highest fencing number that was given out.
    var number: UInt64
    /// How many times were left out since the last run.
    var missed = 0
    /// In the order in which they begin.
    var entries: [Entry] = []
    /// The grant of the lease that it was written with. It tells apart what two instances decide at the same time: a
    /// store that is given a record twice answers as it did the first time.
    var grant: UInt64?
    var last: Last?

    /// Whether a store that has `stored` takes this record.
    package func follows(_ stored: JobRecord?) -> Bool { revision > 0 && revision - 1 == stored?.revision ?? 0 }

    /// Bounds the record: those that run and wait.
    static let maxEntries = 1000

    /// A first record. Its numbers are higher than those of a record that was lost, as long as the job does not begin
    /// more often than once a second.
    init(done: TimerInstant, at now: TimerInstant) {
        self.done = done
        number = UInt64(max(0, now.nanoseconds / 1_000_000_000))
    }
}
