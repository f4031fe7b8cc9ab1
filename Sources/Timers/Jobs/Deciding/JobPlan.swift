import Bus

/// What is known of a job before it runs. Shared by its machine and by what runs it.
final class JobPlan: Sendable {
    let name: String
    /// Nil for one-shots.
    let times: JobTimes?
    private let shared: SharedPolicy
    /// Of the lease, in nanoseconds; nil without a lease.
    let timeToLive: Int64?

    var policy: JobPolicy { shared.policy }

    init(name: String, times: JobTimes?, policy: JobPolicy, timeToLive: Duration?) {
        self.name = name
        self.times = times
        shared = .of(policy)
        self.timeToLive = timeToLive.map { max($0.saturatedNanoseconds, 10) }
    }
}

/// A policy, stored once for the jobs that have it: it is a fifth of what a job is made of, and most jobs of a program have one of
/// few.
private final class SharedPolicy: Sendable {
    let policy: JobPolicy

    /// Those used last. With more, jobs that have the same policy may store it twice.
    private static let recent = Lock<[SharedPolicy]>([])
    private static let maxRecent = 16

    private init(_ policy: JobPolicy) { self.policy = policy }

    static func of(_ policy: JobPolicy) -> SharedPolicy {
        recent.withLock { recent in
            if let shared = recent.first(where: { $0.policy == policy }) { return shared }
            let shared = SharedPolicy(policy)
            if recent.count == maxRecent { recent.removeFirst() }
            recent.append(shared)
            return shared
        }
    }
}
