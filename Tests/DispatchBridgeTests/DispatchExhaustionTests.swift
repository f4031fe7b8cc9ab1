import Bus
import BusTesting
import Dispatch
import DispatchBridge
import Glibc
import TestSupport
import Testing
import SystemPackage

@Suite("Dispatch without free descriptors")
struct DispatchExhaustionTests {
    @Test("with no free descriptor, sources fail and say what was tried")
    func noDescriptors() async {
        await #expect(processExitsWith: .success) {
            useOwnDescriptors()
            let queue = DispatchQueue(label: "exhausted")
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            guard setrlimit(__rlimit_resource_t(7), &limit) == 0 else { exit(2) }
            let all = Self.takeAllDescriptors()
            guard errno == EMFILE else { exit(3) }
            let messages = [
                Self.failure(Signals.dispatchTimer(deadline: .now(), on: queue)),
                Self.failure(Signals.dispatchReadable(FileDescriptor(rawValue: 0), on: queue)),
                Self.failure(Signals.dispatchProcessExit(of: getpid(), on: queue)),
            ]
            print(messages)
            for message in messages {
                guard message.hasPrefix("cannot ") && message.contains("Dispatch waits with"),
                    message.contains("ulimit -n")
                else { exit(4) }
            }
            // With free descriptors it works again. The next shortage is that of the watched descriptor itself.
            for descriptor in all { close(descriptor) }
            let fired = Latch()
            _ = Signals.dispatchTimer(deadline: .now(), on: queue).subscribe(
                next: { _ in },
                failed: { _ in },
                completed: { fired.open() }
            )
            fired.wait()
            let taken = Self.takeAllDescriptors()
            let own = Self.failure(Signals.dispatchReadable(FileDescriptor(rawValue: 0), on: queue))
            print(own)
            // Leak Sanitizer, if present, needs one when the process exits.
            for descriptor in taken { close(descriptor) }
            exit(own.hasPrefix("cannot watch descriptor 0 to read: ") ? 0 : 5)
        }
    }

    private static func takeAllDescriptors() -> [CInt] {
        var taken: [CInt] = []
        while true {
            let descriptor = dup(0)
            guard descriptor >= 0 else { return taken }
            taken.append(descriptor)
        }
    }

    /// The failure that a signal sends while it is being subscribed to.
    private static func failure<Source: Signal>(_ signal: Source) -> String where Source.Failure == DispatchError {
        let failed = Lock("nothing was said")
        _ = signal.subscribe(
            next: { _ in },
            failed: { error in
                let text = error.description
                failed.withLock { $0 = text }
            }
        )
        return failed.withLock { $0 }
    }
}
