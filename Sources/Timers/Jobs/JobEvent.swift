/// What happened to a job.
public enum JobEvent: Sendable, Hashable, CustomStringConvertible {
    /// An attempt begins. It is written in the store before.
    case started(JobRun)
    /// The closure returned.
    case succeeded(JobRun)
    /// The closure threw. `retry` is the wait for the next attempt; nil when there is none.
    case failed(JobRun, reason: String, retry: Duration?)
    /// The attempt took longer than the policy's time limit, was cancelled, and has returned.
    case timedOut(JobRun, retry: Duration?)
    /// The attempt was cancelled for another reason, and has returned.
    case cancelled(JobRun, JobCancellation)
    /// The attempt began before, and its end is not known: the program crashed, or the instance that ran it lost its
    /// lease. `runsAgain` says whether another attempt follows.
    case abandoned(JobRun, runsAgain: Bool)
    /// The attempt was cancelled, and did not return within the policy's grace. It counts as running until it does.
    case unresponsive(JobRun)
    /// Times do not run.
    case skipped(JobSkip)
    /// The lease could not be asked for or renewed. Nothing begins until it can. Sent once until there is an answer.
    case leaseUnreachable(job: String, reason: String)
    /// The lease was lost, and the runs that it was held for are cancelled.
    case leaseLost(job: String)
    /// The store could not be read or written. Nothing begins until it can. Sent once until it can, or until the reason
    /// is another.
    case storeFailed(job: String, reason: String)

    /// The job's name.
    public var job: String {
        switch self {
        case .started(let run), .succeeded(let run), .failed(let run, _, _), .timedOut(let run, _),
            .cancelled(let run, _), .abandoned(let run, _), .unresponsive(let run):
            run.job
        case .skipped(let skip): skip.job
        case .leaseUnreachable(let job, _), .leaseLost(let job), .storeFailed(let job, _): job
        }
    }

    /// One line for people, such as `nightly 2026-03-02T02:30:00Z: failed: no space; the next attempt is in 60.0
    /// seconds`.
    public var description: String {
        switch self {
        case .started(let run): "\(run): started"
        case .succeeded(let run): "\(run): succeeded"
        case .failed(let run, let reason, let retry): "\(run): failed: \(reason)\(Self.text(retry))"
        case .timedOut(let run, let retry): "\(run): timed out\(Self.text(retry))"
        case .cancelled(let run, let reason): "\(run): cancelled: \(reason.rawValue)"
        case .abandoned(let run, let runsAgain):
            "\(run): was interrupted\(runsAgain ? "; it runs again" : "")"
        case .unresponsive(let run): "\(run): was cancelled and does not return"
        case .skipped(let skip): "\(skip)"
        case .leaseUnreachable(let job, let reason): "\(job): cannot reach the lease: \(reason); the job does not run"
        case .leaseLost(let job): "\(job): the lease is lost"
        case .storeFailed(let job, let reason): "\(job): \(reason); the job does not run"
        }
    }

    private static func text(_ retry: Duration?) -> String {
        retry.map { "; the next attempt is in \($0)" } ?? ""
    }
}

/// Why a run was cancelled.
public enum JobCancellation: String, Sendable, Hashable {
    /// The next time has come, and the policy is ``OverlappingRuns/restart``.
    case restarted = "the next time has come"
    /// The lease was lost, or another instance has changed the job's state: it may run elsewhere.
    case leaseLost = "the lease is lost"
    /// It was a one-shot that was cancelled by its id: ``OneShots/cancel(_:)``.
    case withdrawn = "it was withdrawn"
    /// The subscription was disposed of.
    case stopped = "the program stops the job"
}

/// Times of a job that do not run.
public struct JobSkip: Sendable, Hashable, CustomStringConvertible {
    /// Why they do not run.
    public enum Reason: String, Sendable, Hashable {
        /// They passed while nothing could run: see ``JobPolicy/missed``.
        case missed
        /// They are later than ``JobPolicy/grace`` allows.
        case late = "too late"
        /// An earlier run had not ended: see ``JobPolicy/overlapping``.
        case overlapping = "an earlier run has not ended"
    }

    /// The job's name.
    public let job: String
    /// The id of a one-shot; nil for times of a calendar.
    public let id: String?
    /// The first of them: a calendar's time, without a delay, or a one-shot's.
    public let first: TimerInstant
    /// How many, counted to 100,000.
    public let count: Int
    /// Why these times do not run.
    public let reason: Reason

    /// Such as `nightly 2026-03-02T02:30:00Z: skipped: too late`.
    public var description: String {
        let name = id.map { "\(job) \($0)" } ?? job
        return "\(name) \(first.iso8601): skipped: \(reason.rawValue)"
            + (count > 1 ? ", as the \(count - 1) after it" : "")
    }
}
