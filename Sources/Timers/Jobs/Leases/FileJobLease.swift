import Bus
import Glibc

/// A lease among the programs of one machine: a lock on a file, `NAME.lease` in one folder, which has the number of the last
/// grant in it.
///
/// The kernel releases the lock when the holder's process ends, however it ends, so the next one need not wait for
/// ``timeToLive``. A holder that is stopped (SIGSTOP) keeps the lock for as long as it is. The lock does not work on network
/// file systems that do not support `flock` between machines.
public final class FileJobLease: JobLease {
    /// The folder.
    public let folder: String
    /// How often to ask while another program holds the lease: every third of it. It does not end the lock.
    public let timeToLive: Duration

    private struct Held: Sendable {
        var grant: JobGrant
        var lock: FileLock
    }

    /// By the job's name.
    private let held = Lock<[String: Held]>([:])

    /// - Parameters:
    ///   - folder: a folder that exists, the same for all programs.
    ///   - timeToLive: how often to ask while another program holds the lease: every third of it.
    public init(in folder: String, timeToLive: Duration = .seconds(15)) {
        self.folder = folder
        self.timeToLive = timeToLive
    }

    deinit {
        for (_, held) in held.withLock({ $0 }) { held.lock.unlock() }
    }

    public func acquire(_ job: String) async throws -> JobGrant? { try take(job) }

    private func take(_ job: String) throws(JobFileError) -> JobGrant? {
        let path = "\(folder)/\(JobFile.name(job)).lease"
        guard let lock = try FileLock.ifFree(path) else { return nil }
        do throws(JobFileError) {
            let grant = JobGrant(number: try Self.count(lock.file, path))
            held.withLock { $0[job] = Held(grant: grant, lock: lock) }
            return grant
        } catch {
            lock.unlock()
            throw error
        }
    }

    /// Raises the number in the file. It starts with the seconds since 1970, so that it goes on to grow if the file was
    /// deleted.
    private static func count(_ file: CInt, _ path: String) throws(JobFileError) -> UInt64 {
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = pread(file, &buffer, buffer.count, 0)
        guard count >= 0 else { throw JobFileError("read", path) }
        let text = String(decoding: buffer[..<count], as: UTF8.self)
        let last =
            UInt64(text.prefix { $0 != "\n" }) ?? UInt64(max(0, SystemClock.wall.now.nanoseconds / 1_000_000_000))
        guard last < Int64.max else { throw JobFileError(damaged: path, "its number cannot grow; delete it") }
        let next = last + 1
        // Of one length, so that a crash leaves no mixture behind that is shorter.
        let digits = String(next)
        let line = Array((String(repeating: "0", count: max(0, 20 - digits.utf8.count)) + digits + "\n").utf8)
        guard pwrite(file, line, line.count, 0) == line.count, ftruncate(file, off_t(line.count)) == 0, fsync(file) == 0
        else { throw JobFileError("write", path) }
        return next
    }

    public func renew(_ grant: JobGrant, of job: String) async throws -> Bool {
        held.withLock { $0[job]?.grant == grant }
    }

    public func release(_ grant: JobGrant, of job: String) async {
        let lock = held.withLock { held -> FileLock? in
            guard held[job]?.grant == grant else { return nil }
            return held.removeValue(forKey: job)?.lock
        }
        lock?.unlock()
    }
}
