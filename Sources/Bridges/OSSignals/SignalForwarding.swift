import Bus
import CLinux
import Synchronization
import Timers

/// Takes care of signals that reach a thread which does not block them, by handing them to the thread that reads them.
///
/// Not every thread can be made to block them: in a program whose `main` is asynchronous, or that calls `dispatchMain`,
/// Dispatch leaves the main thread in sigsuspend(2) with nothing blocked, whatever was blocked before.
enum SignalForwarding {
    /// How many subscriptions each signal has.
    private static let subscriptions = Lock<[CInt: Int]>([:])

    static func begin(_ numbers: Set<CInt>) throws(OSSignalError) {
        let reader = try readingThread()
        try subscriptions.withLock { subscriptions throws(OSSignalError) in
            for number in numbers where subscriptions[number, default: 0] == 0 {
                let result = clinux_signal_forward(number, reader)
                if result < 0 { throw .system(operation: "handle signal \(number)", code: -result) }
            }
            for number in numbers { subscriptions[number, default: 0] += 1 }
        }
    }

    static func end(_ numbers: Set<CInt>) {
        subscriptions.withLock { subscriptions in
            for number in numbers {
                let count = subscriptions[number, default: 0] - 1
                subscriptions[number] = count > 0 ? count : nil
                if count == 0 { clinux_signal_forward_end(number) }
            }
        }
    }

    /// The event loop's thread. It runs nothing that takes long, so this waits for a moment at most.
    private static func readingThread() throws(OSSignalError) -> pid_t {
        let known = thread.load(ordering: .acquiring)
        if known != 0 { return known }
        let asked = Latch()
        do throws(EventLoopError) {
            try EventLoop.shared.perform {
                thread.store(clinux_thread_id(), ordering: .releasing)
                asked.open()
            }
        } catch {
            throw .system(operation: "watch signals", code: error.code)
        }
        asked.wait()
        return thread.load(ordering: .acquiring)
    }

    private static let thread = Atomic<pid_t>(0)
}
