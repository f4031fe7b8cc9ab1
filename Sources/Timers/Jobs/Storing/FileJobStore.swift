import Bus
import Glibc
import Loop
public import SystemPackage

/// Keeps each job's record in a file of its own, `NAME.job`, in one folder.
///
/// The files are text (``JobRecord/text``), some hundred bytes each, and at most 1 MiB. A file is replaced as a whole: a
/// new one is written, flushed to the disk, and renamed over the old one, and the folder is flushed. So after a crash or a
/// power failure there is the old record or the new one. Several programs of one machine may share the folder: a lock
/// on `NAME.job.lock` keeps them from writing between each other's reading and writing.
///
/// A file that is not a record is renamed to `NAME.job.damaged`, in place of an earlier one, and reported once; the job goes
/// on without a record. A link in its place is not followed, and is reported each time. A record that a later version wrote stays where it is, and the job does not run. Characters of a name other than letters, digits, `-`, `_` and `.` are written as `%` and two
/// hexadecimal digits.
///
/// The calls of one store run one after another, on a thread of its own. A call waits for the file system also when its
/// task is cancelled.
public final class FileJobStore: JobStore {
    /// The folder.
    public let folder: String

    /// File systems may be slow, so their calls have a thread of their own, and wait for no other store's.
    private let thread = ThreadScheduler(name: "bus-jobs")

    /// - Parameter folder: a folder that exists, such as the one that `StateDirectory=` makes for a service.
    public init(in folder: String) { self.folder = folder }

    public func load(_ job: String) async throws -> JobRecord? {
        try await thread.result { [folder] () throws(JobFileError) in try JobFile(job, in: folder).load() }
    }

    public func save(_ record: JobRecord, of job: String) async throws -> Bool {
        try await thread.result { [folder] () throws(JobFileError) in
            try JobFile(job, in: folder).save(record)
        }
    }
}

/// A file of a ``FileJobStore`` or a ``FileJobLease`` could not be used.
public struct JobFileError: Error, Hashable, CustomStringConvertible {
    /// What was being done, such as `write`.
    public let operation: String
    /// The file or folder that could not be used.
    public let path: String
    /// Why it failed; nil when the file itself cannot be used.
    public let errno: Errno?
    /// Why it cannot be used, such as how it is damaged, and where it was set aside.
    public let damage: String?

    init(_ operation: String, _ path: String, errno: CInt = Glibc.errno) {
        self.operation = operation
        self.path = path
        self.errno = Errno(rawValue: errno)
        damage = nil
    }

    init(_ error: SmallFileError) {
        operation = error.operation
        path = error.path
        if case .system(let code) = error.reason {
            errno = Errno(rawValue: code)
            damage = nil
        } else {
            errno = nil
            damage = error.cause
        }
    }

    init(damaged path: String, _ damage: String, _ operation: String = "read") {
        self.operation = operation
        self.path = path
        errno = nil
        self.damage = damage
    }

    public var description: String {
        let reason = errno.map { "\(SystemError.numbered($0.rawValue))\(FileAdvice.text($0.rawValue))" }
        return "cannot \(operation) the job's file \(path): \(damage ?? reason ?? "it cannot be used")"
    }
}
