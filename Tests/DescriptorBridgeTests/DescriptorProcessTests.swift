import Bus
import BusTesting
import DescriptorBridge
import Glibc
import SystemPackage
import TestSupport
import Testing
import Timers

/// What can only be observed in a separate process.
@Suite("Descriptors in a separate process")
struct DescriptorProcessTests {
    @Test("subscriptions to a pipe, made and dropped repeatedly, leave nothing behind")
    func registrations() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let pipe = try TestPipe()
            let subject = Subject(of: [UInt8].self)
            func round(_ count: Int) {
                for number in 0..<count {
                    switch number % 4 {
                    case 0: Signals.bytes(from: pipe.reading).subscribe(next: { _ in }, failed: { _ in }).dispose()
                    case 1: Signals.lines(from: pipe.reading).subscribe(next: { _ in }, failed: { _ in }).dispose()
                    case 2:
                        Signals.readiness(of: pipe.reading, for: .readable).subscribe(next: { _ in }, failed: { _ in })
                            .dispose()
                    default: subject.write(to: pipe.writing).subscribe(next: { _ in }, failed: { _ in }).dispose()
                    }
                }
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

    @Test("without a free descriptor it says what was tried and what to do, and works again once one is free")
    func exhaustion() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            useOwnDescriptors()
            let pipe = try TestPipe()
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            // The event loop must have its own descriptors before.
            Listening(Signals.bytes(from: pipe.reading)).dispose()
            ProcessState.settle()
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var taken: [CInt] = []
            while true {
                let descriptor = dup(pipe.reading.rawValue)
                guard descriptor >= 0 else { break }
                taken.append(descriptor)
            }
            let failed = Listening(Signals.bytes(from: pipe.reading))
            try failed.waitForEnd()
            let message = failed.failure?.description ?? ""
            complain(
                unless: failed.failure?.errno == .tooManyOpenFiles && message.contains("duplicate descriptor")
                    && message.contains("LimitNOFILE"),
                message
            )
            let unwritten = Listening(Signals.just([1]).write(to: pipe.writing))
            try unwritten.waitForEnd()
            complain(unless: unwritten.failure?.errno == .tooManyOpenFiles, "\(unwritten.recorder.events)")
            for descriptor in taken { close(descriptor) }
            let fine = Listening(Signals.bytes(from: pipe.reading))
            try pipe.send("abc")
            try fine.waitForValues(1)
            fine.dispose()
        }
        expectNoComplaint(result)
    }
}
