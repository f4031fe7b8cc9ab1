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
        /// The instance has something to do that needs it, and does not hold it.
        case wanted
        /// The lease does not answer.
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
    /// When the next run is due, or the next attempt of one that failed; nil when there is none, or the store was not read
    /// yet.
    package let next: TimerInstant?
    package let last: Last?
    /// Nil without a lease.
    package let lease: Lease?
    /// Who holds a lease that is wanted, if the lease knows.
    package var holder: String?
    /// Why the store cannot be used.
    package let fault: String?

    /// The first jobs of this program, and whether there are more: first come those that run, then the others in the order
    /// of their next times.
    package static func first(_ limit: Int) -> (jobs: [JobStatus], isCut: Bool) {
        var first: [JobStatus] = []
        var isCut = false
        func cut() {
            first.sort(by: precedes)
            isCut = isCut || first.count > limit
            first.removeLast(max(0, first.count - limit))
        }
        for job in JobRegistry.shared.jobs {
            guard let status = job.status else { continue }
            first.append(status)
            if first.count >= 2 * limit { cut() }
        }
        cut()
        return (first, isCut)
    }

    private static func precedes(_ a: JobStatus, _ b: JobStatus) -> Bool {
        guard (a.running > 0) == (b.running > 0) else { return a.running > 0 }
        return (a.next ?? .distantFuture, a.name) < (b.next ?? .distantFuture, b.name)
    }
}

extension JobMachine {
    func status(at moment: Moment) -> JobStatus {
        var machine = self
        machine.now = moment
        return machine.status
    }

    private var status: JobStatus {
        let waiting = record?.entries.filter { $0.number == nil } ?? []
        var instants = waiting.map { entry in
            let retry = retryAt[entry.key].map { now.wall.advanced(by: $0 - now.boot) }
            return max(due(entry), retry ?? .distantPast)
        }
        if let times, let next { instants.append(times.offset.due(next)) }
        return JobStatus(
            name: job,
            schedule: times?.schedule.description,
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
