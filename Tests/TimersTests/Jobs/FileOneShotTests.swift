import Bus
import Foundation
import TestSupport
import Testing
import Timers
import SystemPackage

@Suite("OneShots in files")
struct FileOneShotTests {
    private let folder: TestFolder
    private let path: String
    private let reminders: OneShots

    init() throws {
        folder = try TestFolder()
        path = "\(folder.path)"
        reminders = OneShots("reminders", store: FileJobStore(in: path))
    }

    @Test("another program finds what one has scheduled")
    func list() async throws {
        try await reminders.schedule("a", at: CalendarSchedule("2150-01-04 09:00 Europe/Berlin"))
        let found = try await OneShots("reminders", store: FileJobStore(in: path)).list()
        #expect(found.map { "\($0)" } == ["a 2150-01-04T08:00:00Z"])
    }

    @Test("many tasks at a time lose nothing")
    func concurrent() async throws {
        let others = (0..<4).map { _ in OneShots("reminders", store: FileJobStore(in: path)) }
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask { try await others[number % 4].schedule("\(number)", after: .seconds(86_400)) }
            }
            try await group.waitForAll()
        }
        #expect(try await Set(reminders.list().map(\.id)) == Set((0..<40).map { "\($0)" }))
    }

    @Test("a damaged file is an error once, and set aside")
    func damaged() async throws {
        try await reminders.schedule("a", after: .seconds(86_400))
        let file = path + "/reminders.job"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing(" id a", with: " id %").write(toFile: file, atomically: false, encoding: .utf8)
        let error = await #expect(throws: JobFileError.self) { try await reminders.schedule("b", after: .seconds(9)) }
        #expect(error?.description.contains("line 6: an id is expected; it is now \(file).damaged") == true)
        try await reminders.schedule("b", after: .seconds(86_400))
        #expect(try await reminders.list().map(\.id) == ["b"])
    }

    /// A container may forbid it, even to root.
    private static let canMount =
        (try? TestFolder().shell("mkdir one; mount -t tmpfs none one 2>/dev/null; umount one")) != nil

    @Test("a full disk: nothing is accepted, nothing is lost", .enabled(if: canMount, "nothing may be mounted here"))
    func fullDisk() async throws {
        try folder.shell("mkdir small; mount -t tmpfs -o size=16k none small")
        defer { #expect(throws: Never.self) { try folder.shell("umount small") } }
        let reminders = OneShots("reminders", store: FileJobStore(in: path + "/small"))
        try await reminders.schedule("a", after: .seconds(86_400))
        try folder.shell("head -c 1M /dev/zero >small/fill 2>/dev/null || true")
        let error = await #expect(throws: JobFileError.self) { try await reminders.schedule("b", after: .seconds(9)) }
        #expect(error?.errno?.rawValue == ENOSPC)
        #expect(try await reminders.list().map(\.id) == ["a"])
        try folder.shell("rm small/fill")
        try await reminders.schedule("b", after: .seconds(86_400))
        #expect(Set(try await reminders.list().map(\.id)) == ["a", "b"])
    }

    @Test("a process killed in a run: what it scheduled is there, and the run is known and runs again")
    func killed() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let reminders = OneShots("reminders", store: FileJobStore(in: path))
            let job = reminders.job { _ in kill(getpid(), SIGKILL) }.subscribe(next: { _ in })
            try await reminders.schedule("later", after: .seconds(86_400))
            try await reminders.schedule("now", after: .zero)
            try await Task.sleep(for: .seconds(600))
            job.dispose()
        }
        #expect(try await reminders.list().map(\.isRunning) == [true, false])
        let events = Collected<String>()
        let runs = Collected<String>()
        let job = reminders.job(policy: JobPolicy(interrupted: .runAgain(maxAttempts: 2))) { run in
            runs.add("\(run.id ?? "") \(run.attempt)")
        }
        .subscribe(next: { events.add("\($0)") })
        await until { runs.all.count == 1 && events.all.count == 3 }
        job.dispose()
        #expect(runs.all == ["now 2"])
        #expect(events.all.first?.hasSuffix("was interrupted; it runs again") == true)
        await until { [path] in
            (try? String(contentsOfFile: path + "/reminders.job", encoding: .utf8))?.contains("last succeeded") == true
        }
        #expect(try await reminders.list().map(\.id) == ["later"])
    }
}
