/// What is known of a job before it runs. Shared by its machine and by what runs it.
final class JobPlan: Sendable {
    let name: String
    /// Nil for one-shots.
    let times: JobTimes?
    let policy: JobPolicy
    /// Of the lease, in nanoseconds; nil without a lease.
    let timeToLive: Int64?

    init(name: String, times: JobTimes?, policy: JobPolicy, timeToLive: Duration?) {
        self.name = name
        self.times = times
        self.policy = policy
        self.timeToLive = timeToLive.map { max($0.saturatedNanoseconds, 10) }
    }
}
