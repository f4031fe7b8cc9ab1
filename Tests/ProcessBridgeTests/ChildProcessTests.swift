import Bus
import BusTesting
import Foundation
import Glibc
import ProcessBridge
import SystemPackage
import TestSupport
import Testing
import Timers

/// What can only be observed in a separate process.
@Suite("Children of a separate process")
struct ChildProcessTests {
    @Test("many children, half of them cancelled: no zombie, descriptor, thread or memory is left")
    func children() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            func round(_ count: Int) throws {
                for number in 0..<count {
                    var child = ChildProcess(number % 2 == 0 ? "/bin/true" : "/bin/cat")
                    if number % 2 == 1 { child.input = .signal(Signals.never([UInt8].self).eraseToAnySignal()) }
                    let heard = Listening(Signals.run(child))
                    if number % 2 == 0 { try heard.waitForEnd() } else { heard.dispose() }
                }
                try NewsBoard().waitOrThrow("the children's end") { ChildProcess.ending.isEmpty }
            }
            // The thread that kills exists from its first use on.
            var stubborn = ChildProcess("/bin/sh", ["-c", "trap '' TERM; echo; while :; do sleep 1; done"])
            stubborn.grace = .milliseconds(1)
            let killed = Listening(Signals.run(stubborn))
            try killed.waitForValues(2)
            killed.dispose()
            try round(Stress.rounds(20, stress: 100))
            let (before, size) = (try ProcessState.now(), try ProcessState.size())
            try round(Stress.rounds(100, stress: 1000))
            let (after, grown) = (try ProcessState.now(), try ProcessState.size() - size)
            complain(unless: before == after, "\(before) became \(after)")
            // Too few to say anything about memory.
            complain(unless: !Stress.isAsked || isSanitized || grown < 4_000_000, "grown by \(grown) bytes")
            var status: CInt = 0
            complain(unless: waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD, "there is a child left")
        }
        expectNoComplaint(result)
    }

    @Test("watched exits, made and dropped repeatedly, leave nothing behind")
    func registrations() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            func round(_ count: Int) {
                for _ in 0..<count { Signals.exit(of: getpid()).subscribe(next: { _ in }, failed: { _ in }).dispose() }
            }
            round(Stress.rounds(200, stress: 10_000))
            let (before, size) = (try ProcessState.now(), try ProcessState.size())
            round(Stress.rounds(600, stress: 100_000))
            let (after, grown) = (try ProcessState.now(), try ProcessState.size() - size)
            complain(unless: before == after, "\(before) became \(after)")
            // Too few to say anything about memory.
            complain(unless: !Stress.isAsked || isSanitized || grown < 2_000_000, "grown by \(grown) bytes")
        }
        expectNoComplaint(result)
    }

    @Test("with any number of free descriptors it runs or says what was tried; no child or zombie stays")
    func exhaustion() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            useOwnDescriptors()
            try Listening(Signals.run(ChildProcess("/bin/true"))).waitForEnd()
            ProcessState.settle()
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var taken: [CInt] = []
            while true {
                let descriptor = dup(2)
                guard descriptor >= 0 else { break }
                taken.append(descriptor)
            }
            var child = ChildProcess("/bin/cat")
            child.input = .signal(Signals.empty([UInt8].self).eraseToAnySignal())
            var failures = 0
            var hasRun = false
            while !hasRun {
                let heard = Listening(Signals.run(child))
                try heard.waitForEnd()
                hasRun = heard.hasCompleted
                if !hasRun {
                    failures += 1
                    let message = heard.failure?.description ?? ""
                    complain(unless: message.contains("LimitNOFILE"), message)
                }
                complain(unless: !taken.isEmpty, "it never runs")
                if !hasRun { close(taken.removeLast()) }
            }
            complain(unless: failures >= 5, "it ran with \(failures) descriptors")
            try NewsBoard().waitOrThrow("the children's end") { ChildProcess.ending.isEmpty }
            var status: CInt = 0
            complain(unless: waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD, "there is a child left")
        }
        expectNoComplaint(result)
    }
}
