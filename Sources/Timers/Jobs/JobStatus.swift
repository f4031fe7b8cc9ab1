/// A job of this program at one moment, as its inspection shows it.
package struct JobStatus: Sendable, Hashable {
    /// The run that ended last, here or in another instance.
    package struct Last: Sendable, Hashable {
        /// `succeeded`, `failed`, `timed-out`, `cancelled` or `abandoned`.
        package let outcome: String
        /// The calendar's time, or the one-shot's.
        package let time: TimerInstant
    }

    /// The instance's part in the lease.
    package enum Lease: Sendable, Hashable {
        case held(number: UInt64)
        /// It was asked for and is not held.
        case wanted
        /// Nobody answers.
        case unreachable
        /// The instance has nothing to do that needs it.
        case idle
    }

    package let name: String
    /// The calendar; nil for one-shots.
    package let schedule: String?
    /// How many attempts run here.
    package let running: Int
    /// How many runs wait for others, for a retry or for their time.
    package let waiting: Int
    /// How many times were left out since the last run.
    package let missed: Int
    /// When the next run is due; nil when there is none, or the store was not read yet.
    package let next: TimerInstant?
    package let last: Last?
    /// Nil without a lease.
    package let lease: Lease?
    /// Why the store cannot be used.
    package let fault: String?

    /// The jobs of this program: first those that run, then in the order of their next times.
    package static var all: [JobStatus] {
        JobRegistry.shared.jobs.compactMap(\.status).sorted { a, b in
            guard (a.running > 0) == (b.running > 0) else { return a.running > 0 }
            return (a.next ?? .distantFuture, a.name) < (b.next ?? .distantFuture, b.name)
        }
    }
}

extension JobMachine {
    var status: JobStatus {
        let waiting = record?.entries.filter { $0.number == nil } ?? []
        var instants = waiting.map(due)
        if let times, let next { instants.append(times.offset.due(next)) }
        return JobStatus(
            name: job,
            schedule: times.map { "\($0.schedule)" },
            running: active.count,
            waiting: waiting.count,
            missed: record?.missed ?? 0,
            next: instants.min(),
            last: record?.last.map { JobStatus.Last(outcome: $0.end.rawValue, time: $0.entry.time) },
            lease: timeToLive == nil ? nil : lease,
            fault: storeFault
        )
    }

    private var lease: JobStatus.Lease {
        if let held { return .held(number: held.grant.number) }
        if isLeaseUnreachable { return .unreachable }
        return hasWork ? .wanted : .idle
    }
}
