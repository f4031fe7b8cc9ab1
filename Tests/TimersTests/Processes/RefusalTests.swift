import Foundation
import Glibc
import Loop
import TestSupport
import Testing
import Timers

@testable import Bus
import SystemPackage

// Swift hides it, for good reason: the child has only the thread that called it.
@_silgen_name("fork")
private func fork() -> pid_t

/// What the system refuses, and what a forked child lacks.
@Suite("Timers and schedulers without threads or descriptors")
struct RefusalTests {
    @Test("a scheduler that gets no thread ends the process with a message", .disabled(if: isSanitized))
    func noThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.allowThreads(false)
            let scheduler = ThreadScheduler(name: "refused")
            #expect(throws: TimerError.self) { try TimerScheduler(on: scheduler) }
            scheduler.schedule {}
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("cannot start the thread \"refused\""), "\(message)")
    }

    @Test("a scheduler that gets a thread within a second does its work", .disabled(if: isSanitized))
    func lateThread() async {
        await #expect(processExitsWith: .success) {
            Self.allowThreads(false)
            let (ran, pauses) = (Latch(), Collected<UInt32>())
            PinnedThread.startOrEnd(
                name: "late",
                pause: {
                    pauses.add($0)
                    if pauses.all.count == 3 { Self.allowThreads(true) }
                }
            ) { ran.open() }
            ran.wait()
            precondition(pauses.all == [1, 3, 10])
        }
    }

    @Test("an expression with a zone of its own needs no local zone", .disabled(if: isSanitized))
    func noDescriptors() async {
        await #expect(processExitsWith: .success) {
            unsetenv("TZ")
            useOwnDescriptors()
            Self.set(CInt(RLIMIT_NOFILE.rawValue), 3)
            for text in ["8:00 UTC", "Mon 8:00 utc", "@86400"] { _ = try CalendarSchedule(text) }
            do {
                _ = try CalendarSchedule("8:00 Europe/Berlin")
                preconditionFailure("a zone was read without a descriptor")
            } catch let error as CalendarError {
                precondition(error.offset == 5 && error.reason.contains("Too many open files"), "\(error)")
            }
            do {
                _ = try CalendarSchedule("8:00")
                preconditionFailure("a zone was read without a descriptor")
            } catch let error as ZoneError {
                precondition(error.errno == .tooManyOpenFiles, "\(error)")
            }
        }
    }

    @Test("a forked child that uses its parent's timers ends with a message", .disabled(if: isSanitized))
    func forked() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let ran = Latch()
            let thread = ThreadScheduler(name: "parent")
            let unused = ThreadScheduler(name: "unused")
            TimerScheduler.shared.schedule(after: .zero) { thread.schedule { ran.open() } }
            ran.wait()
            let inChild: [@Sendable () throws -> Void] = [
                { TimerScheduler.shared.schedule(after: .seconds(3600)) {} },
                { thread.schedule {} },
                { _ = try EventLoop(on: ThreadScheduler.shared).watch(STDIN_FILENO) { _ in } },
            ]
            for work in inChild {
                let status = try Self.statusOfChild(work)
                precondition(status & 0x7f != 0, "the child was not ended")
            }
            let status = try Self.statusOfChild {
                let own = Latch()
                let timers = try TimerScheduler(on: unused)
                timers.schedule(after: .zero) { own.open() }
                own.wait()
            }
            precondition(status == 0, "the child could not make its own: \(status)")
            // The parent's still work.
            let again = Latch()
            TimerScheduler.shared.schedule(after: .zero) { thread.schedule { again.open() } }
            again.wait()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("a timer scheduler was made before fork"), "\(message)")
        #expect(message.contains("the thread \"parent\" was made before fork"), "\(message)")
        #expect(message.contains("the thread \"bus-events\" was made before fork"), "\(message)")
    }

    private static func statusOfChild(_ work: () throws -> Void) throws -> CInt {
        let child = fork()
        if child == 0 {
            try work()
            _exit(0)
        }
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// As a user to whom the limit applies.
    private static func allowThreads(_ isAllowed: Bool) {
        if geteuid() == 0 { precondition(setuid(65534) == 0) }
        set(CInt(__RLIMIT_NPROC.rawValue), isAllowed ? .max : 0)
    }

    private static func set(_ resource: CInt, _ value: UInt) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(resource)), &limit)
        limit.rlim_cur = min(value, limit.rlim_max)
        precondition(setrlimit(__rlimit_resource_t(UInt32(resource)), &limit) == 0)
    }
}
