import Bus
import Glibc
import Loop

/// The file of one job's record. Blocks.
struct JobFile {
    private let file: SmallFile

    var path: String { file.path }

    init(_ job: String, in folder: String) {
        let path = "\(folder)/\(Self.name(job)).job"
        // A link would have a file elsewhere made or replaced with this process's rights.
        file = SmallFile(path: path, maxLength: JobRecord.maxLength, followsLink: false)
    }

    /// A file name for any name; different names have different ones.
    static func name(_ job: String) -> String {
        var name = ""
        for byte in job.utf8 {
            let isPlain =
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                case UInt8(ascii: "."): !name.isEmpty
                default: false
                }
            name +=
                isPlain ? String(UnicodeScalar(byte)) : JobID.escape(byte)
        }
        return name
    }

    func load() throws(JobFileError) -> JobRecord? {
        let lock = try FileLock.wait(for: path + ".lock")
        defer { lock.unlock() }
        return try read()
    }

    func save(_ record: JobRecord) throws(JobFileError) -> Bool {
        let lock = try FileLock.wait(for: path + ".lock")
        defer { lock.unlock() }
        let stored = try read()
        // The answer to an earlier attempt may have been lost.
        if stored == record { return true }
        guard record.follows(stored) else { return false }
        do throws(SmallFileError) {
            // Under the lock there is nobody else who writes it.
            try file.replace(by: Array(record.text.utf8), suffix: ".new")
        } catch {
            throw JobFileError(error)
        }
        return true
    }

    private func read() throws(JobFileError) -> JobRecord? {
        let bytes: [UInt8]?
        do throws(SmallFileError) {
            bytes = try file.read()
        } catch {
            guard case .tooLong = error.reason else { throw JobFileError(error) }
            throw setAside(JobRecordError(line: 1, reason: error.cause))
        }
        return try bytes.map(record)
    }

    private func record(_ bytes: [UInt8]) throws(JobFileError) -> JobRecord {
        do throws(JobRecordError) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw JobRecordError(line: 1, reason: "not text in UTF-8")
            }
            return try JobRecord(text: text)
        } catch {
            throw error.isOfLaterVersion ? JobFileError(damaged: path, "\(error)") : setAside(error)
        }
    }

    /// Takes a damaged file out of the way.
    private func setAside(_ damage: JobRecordError) -> JobFileError {
        let aside = path + ".damaged"
        guard rename(path, aside) == 0 else {
            return JobFileError(damaged: path, "\(damage); it cannot be renamed: \(SystemError.numbered(errno))")
        }
        return JobFileError(damaged: path, "\(damage); it is now \(aside)")
    }
}

/// A lock on a file, which the kernel releases with the process.
struct FileLock {
    let file: CInt

    /// Waits for the lock.
    static func wait(for path: String) throws(JobFileError) -> FileLock {
        guard let lock = try take(path, LOCK_EX) else { throw JobFileError("lock", path, errno: EWOULDBLOCK) }
        return lock
    }

    /// Takes the lock if nobody has it.
    static func ifFree(_ path: String) throws(JobFileError) -> FileLock? { try take(path, LOCK_EX | LOCK_NB) }

    private static func take(_ path: String, _ operation: CInt) throws(JobFileError) -> FileLock? {
        while true {
            guard let lock = try open(path, operation) else { return nil }
            do throws(JobFileError) {
                // Between opening and locking, somebody may have deleted it.
                if try lock.isAt(path) { return lock }
            } catch {
                lock.unlock()
                throw error
            }
            lock.unlock()
        }
    }

    private static func open(_ path: String, _ operation: CInt) throws(JobFileError) -> FileLock? {
        // A user who may read the file could hold the lock.
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw JobFileError("lock", path) }
        while flock(file, operation) != 0 {
            if errno == EINTR { continue }
            let code = errno
            close(file)
            if code == EWOULDBLOCK { return nil }
            throw JobFileError("lock", path, errno: code)
        }
        return FileLock(file: file)
    }

    /// Whether the file is still the one at its path: a lock on one that was deleted keeps nobody from locking the next.
    func isAt(_ path: String) throws(JobFileError) -> Bool {
        var (own, present) = (stat(), stat())
        guard fstat(file, &own) == 0 else { throw JobFileError("look up", path) }
        guard lstat(path, &present) == 0 else {
            if errno == ENOENT { return false }
            throw JobFileError("look up", path)
        }
        return own.st_dev == present.st_dev && own.st_ino == present.st_ino
    }

    /// Closing a file releases its lock.
    func unlock() { close(file) }
}

/// What to do about an error of a file that is to remember something.
enum FileAdvice {
    static func text(_ code: CInt) -> String {
        switch code {
        case ENOENT, ENOTDIR: "; its folder has to exist: StateDirectory= makes one for a service"
        case EACCES, EROFS: "; it has to be writable for this process"
        case EPERM: "; it has to belong to this process's user"
        default: ""
        }
    }
}
