/// What a job does about times that it missed, runs that overlap, and runs that fail.
///
/// ```
/// 02:00 and so on, each run takes 90 minutes    02:00 ------ 03:00 ------ 04:00 ------ 05:00
/// overlapping: .skip                            [2------------------]     [4-----------------
/// overlapping: .queue(max: 1)                   [2------------------][3------------------][4-
/// overlapping: .parallel(max: 2)                [2------------------]
///                                                            [3------------------]
/// overlapping: .restart                         [2----------x[3----------x[4----------x[5----
/// ```
public struct JobPolicy: Sendable, Hashable {
    /// What becomes of times that passed while nothing could run. Times that pass while a run takes long are not
    /// missed: see ``overlapping``. With ``MissedTimes/runAll``, missed times wait until those before them have run.
    public var missed: MissedTimes
    /// How long after its time a run may begin; a later one is skipped. Retries after a failure are not bound by it,
    /// unless the program ends or the lease is lost while they wait: the next start or holder of the lease runs them at
    /// once, if it is within the grace period. It has to be longer than the lease's time to live, if there is a lease.
    /// Nil for any time.
    public var grace: Duration?
    /// What becomes of a time that comes while an earlier run has not ended. A run that waits for its retry has not
    /// ended.
    public var overlapping: OverlappingRuns
    /// What becomes of a run that a crash of the program interrupted, or the end of the program, or the loss of the
    /// lease.
    public var interrupted: InterruptedRuns
    /// How long an attempt may take. Then it is cancelled, and counts as failed. Nil for any time.
    public var timeLimit: Duration?
    /// The waits between attempts that fail; ``Backoff/limit`` is the number of further attempts of one run, and
    /// ``Backoff/resetAfter`` has no effect. Nil for one attempt.
    public var retries: Backoff?
    /// How long a run may take to return after it was cancelled. Then it is reported as unresponsive. At the program's
    /// end nothing waits for it any longer.
    public var cancellationGrace: Duration

    /// - Parameters:
    ///   - missed: what becomes of times that passed while nothing could run.
    ///   - grace: how long after its time a run may begin; nil for any time.
    ///   - overlapping: what becomes of a time that comes while an earlier run has not ended.
    ///   - interrupted: what becomes of a run that was interrupted.
    ///   - timeLimit: how long an attempt may take; nil for any time.
    ///   - retries: the waits between attempts; nil for one attempt.
    ///   - cancellationGrace: how long a run may take to return after it was cancelled.
    public init(
        missed: MissedTimes = .runOnce,
        within grace: Duration? = nil,
        overlapping: OverlappingRuns = .skip,
        interrupted: InterruptedRuns = .abandon,
        timeLimit: Duration? = nil,
        retries: Backoff? = nil,
        cancellationGrace: Duration = .seconds(10)
    ) {
        self.missed = missed
        self.grace = grace
        self.overlapping = overlapping
        self.interrupted = interrupted
        self.timeLimit = timeLimit
        self.retries = retries
        self.cancellationGrace = cancellationGrace
    }

    /// How many runs there are at a time.
    var slots: Int {
        if case .parallel(let max) = overlapping { return min(Swift.max(1, max), JobRecord.maxEntries) }
        return 1
    }
}

/// What becomes of a time that comes while an earlier run of the job has not ended.
public enum OverlappingRuns: Sendable, Hashable {
    /// It is left out, and the next run counts it.
    case skip
    /// It waits until the runs before it have ended. At most `max` wait; a time that finds as many is left out. Those
    /// that wait are kept in the store. At most 1,000 count.
    case queue(max: Int)
    /// It runs beside the earlier ones. A time that finds `max` runs is left out. At most 1,000 count.
    case parallel(max: Int)
    /// The earlier run is cancelled. The new one begins when the earlier one has returned. Of several times that come
    /// meanwhile, only the last runs.
    case restart
}

/// What becomes of a run that began and whose end is not known, because the program crashed, or that was cancelled by
/// the end of the program or the loss of the lease.
public enum InterruptedRuns: Sendable, Hashable {
    /// It does not run again: a run happens at most once.
    case abandon
    /// It runs again, if it is within the grace period. `max` bounds its attempts, retries included, so that a run that
    /// ends the program each time does not do so for ever.
    case runAgain(maxAttempts: Int)
}
