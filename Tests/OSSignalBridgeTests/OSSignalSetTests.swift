import Bus
import Glibc
import OSSignalBridge
import Testing

@Suite("Sets of OS signals")
struct OSSignalSetTests {
    @Test(
        "signals that cannot or must not be listened to are refused with the reason",
        arguments: [
            (SIGKILL, "no process catch"), (SIGSTOP, "no process catch"), (SIGSEGV, "fault"), (SIGBUS, "fault"),
            (SIGFPE, "fault"), (SIGILL, "fault"), (SIGTRAP, "fault"), (SIGSYS, "fault"), (SIGABRT, "abort"),
            (32, "C library"), (33, "C library"), (0, "no such signal"), (65, "no such signal"), (-1, "no such signal"),
            (.max, "no such signal"),
        ] as [(CInt, String)]
    )
    func refused(number: CInt, reason: String) {
        let error = #expect(throws: OSSignalError.self) { _ = try OSSignalSet([SIGTERM, number]) }
        #expect(error?.description.hasPrefix("cannot listen to \(OSSignal.name(of: number)): ") == true)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("all others are accepted, including real-time signals")
    func accepted() throws {
        let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT]
        let numbers = (1...64).filter { ![SIGKILL, SIGSTOP, 32, 33].contains($0) && !faults.contains($0) } as [CInt]
        #expect(try OSSignalSet(numbers).numbers == Set(numbers))
        #expect(try OSSignalSet([]).numbers == [])
    }

    @Test("blocking a set blocks it in the calling thread, in addition to what was blocked already")
    func block() throws {
        let found = Lock<[Bool]>([])
        let done = Latch()
        // A thread that only the test uses. It blocks everything but faults from its start.
        try PinnedThread.start(name: "test") {
            var none = sigset_t()
            sigemptyset(&none)
            sigaddset(&none, SIGHUP)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            _ = try? OSSignalSet([SIGUSR1, 40]).block()
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let members = [SIGHUP, SIGUSR1, 40, SIGUSR2, 41].map { sigismember(&mask, $0) == 1 }
            found.withLock { $0 = members }
            done.open()
        }
        done.wait()
        #expect(found.withLock { $0 } == [true, true, true, false, false])
    }
}
