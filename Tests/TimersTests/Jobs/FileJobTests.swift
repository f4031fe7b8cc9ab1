import Bus
import Foundation
import TestSupport
import Testing
@testable import Timers

@Suite("Jobs in files")
struct FileJobTests {
    private let folder: TestFolder
    private let path: String
    private let store: FileJobStore

    init() throws {
        folder = try TestFolder()
        path = "\(folder.path)"
        store = FileJobStore(in: path)
    }

    private func record(_ revision: UInt64) -> JobRecord {
        var record = JobRecord(
            done: TimerInstant(nanoseconds: 1_772_409_600_000_000_000),
            at: TimerInstant(nanoseconds: 0)
        )
        record.revision = revision
        record.number = revision * 10
        return record
    }

    @Test("a record is read as it was written, by another program too")
    func roundTrip() async throws {
        #expect(try await store.load("nightly") == nil)
        #expect(try await store.save(record(1), of: "nightly"))
        #expect(try await store.save(record(2), of: "nightly"))
        #expect(try await FileJobStore(in: path).load("nightly") == record(2))
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(Set(names) == ["nightly.job", "nightly.job.lock"])
    }

    @Test("no other user can open, and so hold, the locks")
    func lockModes() async throws {
        #expect(try await store.save(record(1), of: "job"))
        let lease = FileJobLease(in: path)
        #expect(try await lease.acquire("job") != nil)
        for name in ["job.job.lock", "job.lease"] {
            var status = stat()
            #expect(stat("\(path)/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test("a record is taken only in place of the one before, and the same one twice")
    func conflicts() async throws {
        #expect(try await !store.save(record(2), of: "job"))
        #expect(try await !store.save(record(0), of: "job"))
        #expect(try await store.save(record(1), of: "job"))
        #expect(try await store.save(record(1), of: "job"), "an answer was lost")
        var other = record(1)
        other.number = 5
        #expect(try await !store.save(other, of: "job"))
        #expect(try await !store.save(record(3), of: "job"))
        #expect(try await store.load("job") == record(1))
    }

    @Test("a damaged file is reported once, set aside, and stops nothing", arguments: ["", "job 1\n", "\u{0}\u{1}"])
    func damaged(text: String) async throws {
        let path = self.path + "/job.job"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let error = await #expect(throws: JobFileError.self) { try await store.load("job") }
        #expect(error?.description.hasSuffix("; it is now \(path).damaged") == true, "\(error as Any)")
        #expect(try String(contentsOfFile: path + ".damaged", encoding: .utf8) == text)
        #expect(try await store.load("job") == nil)
        #expect(try await store.save(record(1), of: "job"))
    }

    @Test("a record of a later version stays where it is, and is reported each time")
    func laterVersion() async throws {
        let path = self.path + "/job.job"
        try "job 2\nanything\n".write(toFile: path, atomically: false, encoding: .utf8)
        for _ in 0..<2 {
            let error = await #expect(throws: JobFileError.self) { try await store.load("job") }
            let reason = "line 1: written by a later version"
            #expect(error?.description == "cannot read the job's file \(path): \(reason)")
        }
        await #expect(throws: JobFileError.self) { try await store.save(record(1), of: "job") }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "job 2\nanything\n")
    }

    @Test("a file that is too long is not read as a whole, and set aside")
    func tooLong() async throws {
        let path = self.path + "/job.job"
        try Data(count: 4 << 20).write(to: URL(fileURLWithPath: path))
        await #expect(throws: JobFileError.self) { try await store.load("job") }
        #expect(try await store.load("job") == nil)
    }

    @Test("what a crash left of a new file is overwritten")
    func leftOver() async throws {
        try "half".write(toFile: path + "/job.job.new", atomically: false, encoding: .utf8)
        #expect(try await store.save(record(1), of: "job"))
        #expect(try await store.load("job") == record(1))
    }

    @Test("a device in place of the file, or a folder that is missing, is an error that says so")
    func wrongFiles() async throws {
        try FileManager.default.createDirectory(atPath: path + "/job.job", withIntermediateDirectories: false)
        let kind = await #expect(throws: JobFileError.self) { try await store.load("job") }
        #expect(kind?.description == "cannot read the job's file \(path)/job.job: it is no regular file")
        let missing = FileJobStore(in: path + "/none")
        let error = await #expect(throws: JobFileError.self) { try await missing.save(record(1), of: "job") }
        #expect(error?.description.contains("its folder has to exist") == true)
    }

    @Test("a link in place of the file is an error that says so, and is not followed", arguments: [true, false])
    func link(leadsToFile: Bool) async throws {
        let other = try TestFolder()
        let target = "\(other.path)/x"
        if leadsToFile { try record(1).text.write(toFile: target, atomically: false, encoding: .utf8) }
        try FileManager.default.createSymbolicLink(atPath: path + "/job.job", withDestinationPath: target)
        let reason = "cannot read the job's file \(path)/job.job: it is no regular file"
        let loading = await #expect(throws: JobFileError.self) { try await store.load("job") }
        #expect(loading?.description == reason)
        let saving = await #expect(throws: JobFileError.self) { try await store.save(record(1), of: "job") }
        #expect(saving?.description == reason)
        #expect(FileManager.default.fileExists(atPath: target) == leadsToFile)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path + "/job.job") == target)
    }

    /// Returns when somebody waits for a lock.
    private func untilWaitedFor(_ lock: FileLock) async {
        var status = stat()
        #expect(fstat(lock.file, &status) == 0)
        let waiting = ":\(status.st_ino) "
        await until {
            // The kernel lists who waits for a lock.
            let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
            return locks?.contains { $0.contains("->") && $0.contains(waiting) } == true
        }
    }

    @Test("a folder that hangs stops no store of another one")
    func hangingFolder() async throws {
        let other = try TestFolder()
        let lock = try FileLock.wait(for: path + "/job.job.lock")
        let waiting = Task { try await store.load("job") }
        await untilWaitedFor(lock)
        let isLoaded = Lock(false)
        let loading = Task {
            _ = try await FileJobStore(in: "\(other.path)").load("job")
            isLoaded.withLock { $0 = true }
        }
        await until { isLoaded.withLock { $0 } }
        lock.unlock()
        try await loading.value
        #expect(try await waiting.value == nil)
    }

    @Test("each name has a file in the folder", arguments: ["a/b", "..", ".x", "a b", "ä", "%2F", "a%b"])
    func names(name: String) async throws {
        #expect(try await store.save(record(1), of: name))
        #expect(try await store.load(name) == record(1))
        let file = JobFile.name(name)
        #expect(!file.contains("/") && !file.hasPrefix("."))
        #expect(["a/b", "..", ".x", "a b", "ä", "%2F", "a%b"].count { JobFile.name($0) == file } == 1)
    }

    // MARK: The lease

    @Test("a lease is one program's, and every grant has a higher number")
    func lease() async throws {
        let (a, b) = (FileJobLease(in: path), FileJobLease(in: path))
        let first = try #require(try await a.acquire("job"))
        #expect(try await b.acquire("job") == nil)
        #expect(try await b.acquire("other") != nil)
        #expect(try await a.renew(first, of: "job"))
        #expect(try await !b.renew(first, of: "job"))
        await b.release(first, of: "job")
        #expect(try await b.acquire("job") == nil)
        await a.release(first, of: "job")
        #expect(try await !a.renew(first, of: "job"))
        let second = try #require(try await b.acquire("job"))
        #expect(second.number == first.number + 1)
        await b.release(second, of: "job")
        try FileManager.default.removeItem(atPath: path + "/job.lease")
        let third = try #require(try await a.acquire("job"))
        #expect(third.number > max(second.number, 1_700_000_000_000_000), "a lost file does not bring low numbers back")
    }

    @Test("a lease whose number cannot grow is an error", arguments: ["9223372036854775807", "18446744073709551615"])
    func leaseNumber(text: String) async throws {
        try text.write(toFile: path + "/job.lease", atomically: false, encoding: .utf8)
        await #expect(throws: JobFileError.self) { try await FileJobLease(in: path).acquire("job") }
    }

    @Test("a lease that another has tells who, for people")
    func holderName() async throws {
        let (a, b) = (FileJobLease(in: path), FileJobLease(in: path))
        #expect(try await a.acquire("job") != nil)
        #expect(b.holderName(of: "job") == nil)
        #expect(try await b.acquire("job") == nil)
        #expect(b.holderName(of: "job") == JobGrant.holderName)
        #expect(JobGrant.holderName.hasSuffix("/\(getpid())"))
        // As an earlier version wrote it.
        try "00000000001772409600\n".write(toFile: path + "/old.lease", atomically: false, encoding: .utf8)
        let old = try #require(try FileLock.ifFree(path + "/old.lease"))
        #expect(try await b.acquire("old") == nil)
        #expect(b.holderName(of: "old") == nil)
        old.unlock()
        #expect(try await b.acquire("old")?.number == 1_772_409_601)
    }

    @Test("a lease whose file is deleted is lost with the next renewal")
    func leaseFileIsDeleted() async throws {
        let (a, b) = (FileJobLease(in: path), FileJobLease(in: path))
        let first = try #require(try await a.acquire("job"))
        try FileManager.default.removeItem(atPath: path + "/job.lease")
        #expect(try await !a.renew(first, of: "job"))
        let second = try #require(try await b.acquire("job"))
        #expect(try await !a.renew(first, of: "job"), "the file there is the other's")
        await a.release(first, of: "job")
        #expect(try await b.renew(second, of: "job"))
        #expect(try await a.acquire("job") == nil)
        // It takes the lease again itself, before it has given back the one that it lost.
        try FileManager.default.removeItem(atPath: path + "/job.lease")
        #expect(try await b.acquire("job") != nil)
        // It comes behind the closing, on the same thread.
        #expect(try await !b.renew(second, of: "job"))
        let table = "/proc/self/fd/"
        let open = try FileManager.default.contentsOfDirectory(atPath: table).filter { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: table + number))?.hasPrefix(path) == true
        }
        #expect(open.count == 1, "the file that was deleted is closed")
    }

    @Test("a lock on a file that was deleted meanwhile is taken on the file that is there")
    func lockFileIsDeleted() async throws {
        let path = self.path + "/lock"
        let first = try FileLock.wait(for: path)
        let waiter = Task.detached { try FileLock.wait(for: path) }
        await untilWaitedFor(first)
        try FileManager.default.removeItem(atPath: path)
        first.unlock()
        let second = try await waiter.value
        #expect(try second.isAt(path))
        #expect(try FileLock.ifFree(path) == nil)
        second.unlock()
    }

    @Test("a disk that hangs blocks no thread of the pool, and requests beyond some fail at once")
    func hangingLease() async throws {
        let lease = FileJobLease(in: path)
        let hangs = DispatchSemaphore(value: 0)
        lease.taking.schedule { hangs.wait() }
        var answers: [Result<JobGrant?, any Error>] = []
        await withTaskGroup(of: Result<JobGrant?, any Error>.self) { group in
            for _ in 0...FileJobLease.maxRequests {
                group.addTask {
                    do {
                        return .success(try await lease.acquire("job"))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            for await answer in group {
                // The first answer is the refusal: the others come when the disk goes on.
                if answers.isEmpty { hangs.signal() }
                answers.append(answer)
            }
        }
        let refusal = #expect(throws: JobFileError.self) { try answers.first?.get() }
        let reason = "cannot lock the job's file \(path)/job.lease: earlier requests have not been answered"
        #expect(refusal?.description == reason)
        #expect(try answers.dropFirst().count { try $0.get() != nil } == 1)
        #expect(try await lease.acquire("job") == nil, "requests are accepted again")
    }

    @Test("a request whose time was over before it began takes no lock, and renewals do not wait behind requests")
    func lateLease() async throws {
        let lease = FileJobLease(in: path, timeToLive: .milliseconds(300))
        let grant = try #require(try await lease.acquire("held"))
        let hangs = DispatchSemaphore(value: 0)
        lease.taking.schedule { hangs.wait() }
        let late = Task { try await lease.acquire("late") }
        #expect(try await lease.renew(grant, of: "held"))
        await lease.release(grant, of: "held")
        #expect(try await FileJobLease(in: path).acquire("held") != nil)
        // A third of the time to live passes.
        await until { lease.requests(of: "late") == 1 }
        let asked = ContinuousClock.now
        await until { ContinuousClock.now - asked > .milliseconds(150) }
        hangs.signal()
        let error = await #expect(throws: JobFileError.self) { try await late.value }
        #expect(error?.description.contains("earlier requests took too long") == true)
        #expect(try await FileJobLease(in: path).acquire("late") != nil)
    }

    @Test("the kernel releases the lease of a process that ends")
    func leaseOfProcess() async throws {
        let lease = FileJobLease(in: path)
        try folder.shell("flock -n job.lease true")
        #expect(try await lease.acquire("job") != nil)
        #expect(throws: TestFolder.ShellFailure.self) { try folder.shell("flock -n job.lease true") }
    }
}
