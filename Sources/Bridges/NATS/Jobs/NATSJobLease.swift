import Bus
public import Timers

/// A lease among programs of several machines: the key `lease.JOB` of a ``NATSJobBucket``.
///
/// ```
/// key        A--A--A----x                    B---
/// A          renews  is stopped, or unreachable
/// B               asks: held               takes
/// time to live          |-------------------|
/// ```
///
/// Each write names the revision that it replaces. So of several instances that ask at once one gets the lease, and one whose
/// lease was taken finds that out with its next renewal.
///
/// No clocks of different machines are compared, and not the server's. The holder counts the time to live from before it sends a
/// request, and stops a tenth earlier. Another instance takes the lease when the key's revision has stayed the same for
/// the time to live (the holder's, if that is longer), counted from when it has read it first. Both count by
/// `CLOCK_BOOTTIME`, which nobody sets and which goes on while the machine is suspended. So the time that a server needs for an
/// answer, or is stopped, makes others wait longer and the holder stop earlier, and what is safe does not depend on
/// it. The lease of an instance that crashed is free after the time to live and at most two thirds of it.
///
/// The fencing number is higher than the last one, which the key keeps when the lease is released, and never lower than
/// the milliseconds since 1970 by the clock of the instance that takes the lease. So numbers go on to grow when the key or the
/// bucket is deleted, or when the server's machine loses power and with it the last writes, unless that instance's clock is behind
/// those of its predecessors. Deleting the key or the bucket also takes the lease from its holder, which learns that with its next
/// renewal: until then two instances may run, with different numbers.
///
/// A key with something else under it is an error, and nothing runs until somebody deletes it.
///
/// Cancelling the task of a call ends its wait; what it asked for may be done all the same.
public final class NATSJobLease: JobLease {
    public let timeToLive: Duration
    private let bucket: NATSJobBucket
    private let clock: @Sendable () -> TimerInstant

    private struct Held: Sendable {
        var value: NATSLeaseValue
        var revision: UInt64
    }

    private struct Seen: Sendable {
        var held: Held
        /// When its answer had come.
        var since: TimerInstant
    }

    private struct State: Sendable {
        /// By the jobs' names and the grants' numbers.
        var held: [String: [UInt64: Held]] = [:]
        /// What others hold, by the jobs' names.
        var seen: [String: Seen] = [:]
        /// Grants that are nobody's, if the server has stored them: the last of each job whose answer was lost, or that could
        /// not be given back.
        var unclaimed: [String: NATSLeaseValue] = [:]
    }

    private let state = Lock(State())

    /// - Parameters:
    ///   - bucket: the same for all instances.
    ///   - timeToLive: how long a holder may be silent. At least several times what the server takes for an answer.
    public convenience init(in bucket: NATSJobBucket, timeToLive: Duration = .seconds(15)) {
        self.init(in: bucket, timeToLive: timeToLive) { SystemClock.boot.now }
    }

    package init(
        in bucket: NATSJobBucket,
        timeToLive: Duration,
        clock: @escaping @Sendable () -> TimerInstant
    ) {
        self.bucket = bucket
        self.timeToLive = timeToLive
        self.clock = clock
    }

    /// How long to wait for each answer of the server.
    private var timeout: Duration { timeToLive / 3 }

    public func acquire(_ job: String) async throws -> JobGrant? {
        let key = NATSJobBucket.key("lease", of: job)
        let asked = clock()
        let entry = try await bucket.read(key, within: timeout)
        let last = try entry.flatMap { try read($0, key) }
        if let entry, let last, last.holder != nil, !isFree(Held(value: last, revision: entry.revision), job, asked) {
            return nil
        }
        let number = max(last.map { $0.number + 1 } ?? 0, UInt64(max(0, SystemClock.wall.now.nanoseconds / 1_000_000)))
        let holder = NATSLeaseValue.Holder(
            name: JobGrant.holderName,
            grant: .random(in: 0 ... .max),
            milliseconds: timeToLive.natsMilliseconds
        )
        let value = NATSLeaseValue(number: number, holder: holder)
        do {
            let revision = try await bucket.write(value.bytes, to: key, over: entry?.revision ?? 0, within: timeout)
            guard let revision else {
                // Another was faster, and it is not known who.
                state.withLock { $0.seen[job] = nil }
                return nil
            }
            state.withLock { state in
                state.seen[job] = nil
                // Those before are lost.
                state.held[job, default: [:]] = state.held[job, default: [:]].filter { $0.key > number }
                state.held[job]?[number] = Held(value: value, revision: revision)
            }
            return JobGrant(number: number)
        } catch {
            state.withLock { $0.unclaimed[job] = value }
            throw error
        }
    }

    public func renew(_ grant: JobGrant, of job: String) async throws -> Bool {
        guard let held = state.withLock({ $0.held[job]?[grant.number] }) else { return false }
        let revision = try await replace(held, by: held.value, NATSJobBucket.key("lease", of: job))
        state.withLock { state in
            if let revision {
                state.held[job]?[grant.number]?.revision = revision
            } else {
                state.held[job]?[grant.number] = nil
            }
        }
        return revision != nil
    }

    public func release(_ grant: JobGrant, of job: String) async {
        guard let held = state.withLock({ $0.held[job]?.removeValue(forKey: grant.number) }) else { return }
        do {
            let free = NATSLeaseValue(number: held.value.number)
            _ = try await replace(held, by: free, NATSJobBucket.key("lease", of: job))
        } catch {
            // Others wait until the time to live has passed; this program need not.
            state.withLock { $0.unclaimed[job] = held.value }
        }
    }

    public func holderName(of job: String) -> String? { state.withLock { $0.seen[job]?.held.value.holder?.name } }

    /// Writes in place of a grant.
    ///
    /// - Returns: the revision; nil when the lease is another's.
    private func replace(_ held: Held, by value: NATSLeaseValue, _ key: String) async throws -> UInt64? {
        var revision = held.revision
        while true {
            if let revision = try await bucket.write(value.bytes, to: key, over: revision, within: timeout) {
                return revision
            }
            // If it is still the same grant, the answer to an earlier renewal was lost.
            guard let entry = try await bucket.read(key, within: timeout), try read(entry, key) == held.value else {
                return nil
            }
            revision = entry.revision
        }
    }

    /// - Returns: nil when the key was deleted.
    private func read(_ entry: NATSJobBucket.Entry, _ key: String) throws -> NATSLeaseValue? {
        if entry.value.isEmpty { return nil }
        guard let value = NATSLeaseValue(entry.value) else {
            throw bucket.error("what is under the key \(key) is not a lease; delete it while no job runs")
        }
        return value
    }

    /// Whether a lease that somebody holds may be taken.
    ///
    /// - Parameter asked: when it was asked for.
    private func isFree(_ held: Held, _ job: String, _ asked: TimerInstant) -> Bool {
        state.withLock { state in
            if state.unclaimed[job] == held.value { return true }
            if let seen = state.seen[job], seen.held.revision == held.revision, seen.held.value == held.value {
                let theirs = Duration.milliseconds(held.value.holder?.milliseconds ?? 0)
                return asked - seen.since >= max(timeToLive, theirs)
            }
            state.seen[job] = Seen(held: held, since: clock())
            return false
        }
    }
}
