import Glibc
import OSSignalBridge
import Testing

@Suite("The information in an OS signal")
struct OSSignalTests {
    @Test(
        "names",
        arguments: [
            (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP"), (34, "SIGRTMIN"), (37, "SIGRTMIN+3"), (64, "SIGRTMIN+30"),
            (0, "signal 0"), (33, "signal 33"), (65, "signal 65"), (-1, "signal -1"),
        ] as [(CInt, String)]
    )
    func names(number: CInt, name: String) {
        #expect(OSSignal.name(of: number) == name)
        #expect(OSSignal.number(named: name) == (name.hasPrefix("signal") ? nil : number))
    }

    @Test(
        "causes, in words",
        arguments: [
            (OSSignal(number: SIGTERM, pid: 7, uid: 1), .user, "SIGTERM from process 7 (user 1)"),
            (OSSignal(number: 35, code: -1, pid: 7, value: 5), .queue, "SIGRTMIN+1 from process 7 (user 0) with 5"),
            (OSSignal(number: SIGUSR1, code: -6, pid: 7), .thread, "SIGUSR1 from process 7 (user 0)"),
            (OSSignal(number: SIGINT, code: 0x80), .kernel, "SIGINT from the kernel"),
            (OSSignal(number: SIGALRM, code: -2, value: 3), .timer, "SIGALRM from a timer with 3"),
            (OSSignal(number: SIGIO, code: 1), .other, "SIGIO with code 1"),
            (
                OSSignal(number: SIGCHLD, code: 1, pid: 9, status: 7), .child(.exited(status: 7)),
                "SIGCHLD: child 9 exited with status 7"
            ),
            (
                OSSignal(number: SIGCHLD, code: 2, pid: 9, status: 15), .child(.killed(by: SIGTERM)),
                "SIGCHLD: child 9 was ended by SIGTERM"
            ),
            (
                OSSignal(number: SIGCHLD, code: 5, pid: 9, status: 19), .child(.stopped(by: SIGSTOP)),
                "SIGCHLD: child 9 was stopped by SIGSTOP"
            ),
            (
                OSSignal(number: SIGCHLD, code: 6, pid: 9, status: 18), .child(.continued),
                "SIGCHLD: child 9 goes on"
            ),
            // If sent by hand, it contains nothing about a child.
            (OSSignal(number: SIGCHLD, pid: 9), .user, "SIGCHLD from process 9 (user 0)"),
        ] as [(OSSignal, OSSignal.Cause, String)]
    )
    func causes(signal: OSSignal, cause: OSSignal.Cause, words: String) {
        #expect(signal.cause == cause)
        #expect(signal.description == words)
    }

    @Test("a standard signal may stand for several, a real-time signal stands for itself")
    func counting() {
        #expect([SIGTERM, SIGCHLD, 31].allSatisfy { OSSignal(number: $0).mayStandForSeveral })
        #expect([34, 40, 64].allSatisfy { !OSSignal(number: $0).mayStandForSeveral })
    }
}
