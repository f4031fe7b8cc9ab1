import Bus
import Glibc
import Loop

/// A lease among the programs of one machine: a lock on a file, `NAME.lease` in one folder, which has the number of the last
/// grant in it, and in its second line the holder's host and process.
///
/// The kernel releases the lock when the holder's process ends, however it ends, so the next one need not wait for
/// ``timeToLive``. A holder that is stopped (SIGSTOP) keeps the lock for as long as it is. The lock does not work on network
/// file systems that do not support `flock` between machines.
///
/// If somebody deletes the file, another program can take the lease at once. The holder learns that with its next renewal, a
/// third of the time to live later.
///
/// A call waits for the file system also when its task is cancelled.
public final class FileJobLease: JobLease {
    /// The folder.
    public let folder: String
    /// How often to ask while another program holds the lease: every third of it. It does not end the lock.
    public let timeToLive: Duration

    private struct Held: Sendable {
        var grant: JobGrant
        var lock: FileLock
    }

    /// By the jobs' names.
    private struct State: Sendable {
        var held: [String: Held] = [:]
        /// Who had the leases that were asked for last and not granted.
        var others: [String: String] = [:]
        /// How many requests are under way.
        var requests: [String: Int] = [:]
    }

    private let state = Lock(State())

    // File systems may be slow, so their calls have threads, other than those of another folder.
    let taking = ThreadScheduler(name: "bus-leases")
    /// Renewals come behind no request that writes. All locks are used and given back here.
    private let renewing = ThreadScheduler(name: "bus-leases")
    /// More of them for one job, while a disk hangs, fail at once.
    static let maxRequests = 4

    /// - Parameters:
    ///   - folder: a folder that exists, the same for all programs.
    ///   - timeToLive: how often to ask while another program holds the lease: every third of it.
    public init(in folder: String, timeToLive: Duration = .seconds(15)) {
        self.folder = folder
        self.timeToLive = timeToLive
    }

    deinit {
        for (_, held) in state.withLock({ $0.held }) { held.lock.unlock() }
    }

    private func path(_ job: String) -> String { "\(folder)/\(JobFile.name(job)).lease" }

    /// How many requests for a job are under way.
    func requests(of job: String) -> Int { state.withLock { $0.requests[job] ?? 0 } }

    private func request<Answer: Sendable>(
        _ job: String,
        on thread: ThreadScheduler,
        _ work: @escaping @Sendable () throws(JobFileError) -> Answer
    ) async throws(JobFileError) -> Answer {
        let isAccepted = state.withLock { state in
            guard state.requests[job, default: 0] < Self.maxRequests else { return false }
            state.requests[job, default: 0] += 1
            return true
        }
        guard isAccepted else {
            throw JobFileError(damaged: path(job), "earlier requests have not been answered", "lock")
        }
        defer {
            state.withLock { state in
                let others = state.requests[job, default: 1] - 1
                state.requests[job] = others > 0 ? others : nil
            }
        }
        let deadline = MonotonicTime.nanoseconds.later(by: (timeToLive / 3).saturatedNanoseconds)
        return try await thread.result { () throws(JobFileError) in
            // Nobody waits for it any more, and others are behind it.
            guard MonotonicTime.nanoseconds < deadline else {
                throw JobFileError(damaged: self.path(job), "earlier requests took too long", "lock")
            }
            return try work()
        }
    }

    public func acquire(_ job: String) async throws -> JobGrant? {
        try await request(job, on: taking) { () throws(JobFileError) in try self.take(job) }
    }

    public func holderName(of job: String) -> String? { state.withLock { $0.others[job] } }

    private func take(_ job: String) throws(JobFileError) -> JobGrant? {
        let path = path(job)
        guard let lock = try FileLock.ifFree(path) else {
            let holder = Self.holder(in: path)
            state.withLock { $0.others[job] = holder }
            return nil
        }
        do throws(JobFileError) {
            let grant = JobGrant(number: try Self.count(lock.file, path))
            let lost = state.withLock { state in
                state.others[job] = nil
                return state.held.updateValue(Held(grant: grant, lock: lock), forKey: job)
            }
            // On a file that was deleted.
            if let lost { renewing.schedule { lost.lock.unlock() } }
            return grant
        } catch {
            lock.unlock()
            throw error
        }
    }

    /// Raises the number in the file. It starts with the microseconds since 1970, so that it goes on to grow if the file was
    /// deleted.
    private static func count(_ file: CInt, _ path: String) throws(JobFileError) -> UInt64 {
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = pread(file, &buffer, buffer.count, 0)
        guard count >= 0 else { throw JobFileError("read", path) }
        let content = String(decoding: buffer[..<count], as: UTF8.self)
        let last =
            UInt64(content.prefix { $0 != "\n" }) ?? UInt64(max(0, SystemClock.wall.now.nanoseconds / 1_000))
        guard last < Int64.max else { throw JobFileError(damaged: path, "its number cannot grow; delete it") }
        let next = last + 1
        // The number has one length, so that a crash leaves no mixture behind that is shorter.
        let digits = String(next)
        let number = String(repeating: "0", count: max(0, 20 - digits.utf8.count)) + digits
        let text = Array("\(number)\n\(JobGrant.holderName)\n".utf8)
        guard pwrite(file, text, text.count, 0) == text.count, ftruncate(file, off_t(text.count)) == 0, fsync(file) == 0
        else { throw JobFileError("write", path) }
        return next
    }

    /// Nil if the file cannot be read, too: the name is for people.
    private static func holder(in path: String) -> String? {
        guard let bytes = try? SmallFile(path: path, maxLength: 1024, followsLink: false).read() else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.count > 1 ? String(lines[1]) : nil
    }

    public func renew(_ grant: JobGrant, of job: String) async throws -> Bool {
        try await request(job, on: renewing) { () throws(JobFileError) in
            guard let held = self.state.withLock({ $0.held[job] }), held.grant == grant else { return false }
            return try held.lock.isAt(self.path(job))
        }
    }

    public func release(_ grant: JobGrant, of job: String) async {
        await renewing.result { () throws(Never) in
            let lock = self.state.withLock { state -> FileLock? in
                guard state.held[job]?.grant == grant else { return nil }
                return state.held.removeValue(forKey: job)?.lock
            }
            lock?.unlock()
        }
    }
}
