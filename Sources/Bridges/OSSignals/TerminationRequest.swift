public import Bus
public import Glibc

/// A request to end the process.
public enum TerminationRequest: Sendable, Hashable {
    /// The first request: finish the work in progress, then end.
    case graceful(OSSignal)
    /// Asked again: end at once.
    case forced(OSSignal)

    /// The signal that made the request.
    public var signal: OSSignal {
        switch self {
        case .graceful(let signal), .forced(let signal): signal
        }
    }
}

extension Signals {
    /// Requests to end: first graceful, and when one more comes, forced. Hot.
    ///
    /// ```
    /// kill -TERM           --TERM-TERM-------TERM---
    /// terminationRequests  --graceful--------(forced)|
    /// ```
    ///
    /// The same signal within 200 ms of the first is the first one again, because one request can reach a process
    /// twice: timeout(1) signals its child and then the child's process group, and a parent may pass on Ctrl-C, which
    /// the terminal sends to both. Another of the numbers forces at once. ``OSSignal/endProcess()`` ends the process
    /// as the signal itself would have.
    ///
    /// - Ends: with the forced one.
    /// - Fails: as ``osSignals(_:on:)`` does, and when a number cannot be listened to.
    /// - Cancelling: stops listening; with the last subscription, the signals have their previous effect again.
    /// - Buffers: the two of them.
    /// - Thread: that of `scheduler`, on which the graceful end should therefore not be waited for.
    ///
    /// - Parameters:
    ///   - numbers: which signals ask for it.
    ///   - scheduler: where the observer is called.
    public static func terminationRequests(
        by numbers: Set<CInt> = [SIGTERM, SIGINT],
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<TerminationRequest, OSSignalError> {
        create(of: OSSignal.self, failure: OSSignalError.self) { listen(to: numbers, $0) }
            // Before the queue, so that the time is that of the signal and repetitions take no slot.
            .scan(into: TerminationCount()) { $0.count($1, at: MonotonicTime.nanoseconds) }
            .compactMap(\.request)
            .take(first: 2)
            .deliver(on: scheduler, limit: 2, overflow: .dropNewest)
    }
}

/// Which signals are requests to end.
struct TerminationCount: Sendable {
    /// The same signal within this time, in nanoseconds, is the first one again.
    static let repetition: Int64 = 200_000_000

    private var first: (number: CInt, time: Int64)?
    /// What the last signal asks for; nil for a repetition.
    private(set) var request: TerminationRequest?

    mutating func count(_ signal: OSSignal, at time: Int64) {
        guard let first else {
            first = (signal.number, time)
            request = .graceful(signal)
            return
        }
        let isRepeated = signal.number == first.number && time - first.time < Self.repetition
        request = isRepeated ? nil : .forced(signal)
    }
}
