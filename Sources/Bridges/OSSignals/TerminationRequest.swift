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
    /// kill -TERM           --TERM------------TERM---
    /// terminationRequests  --graceful--------(forced)|
    /// ```
    ///
    /// One signal is never taken for two. Two signals in quick succession may be one, by the kernel's rule; see
    /// ``OSSignal/mayStandForSeveral``. ``OSSignal/endProcess()`` ends the process as the signal itself would have.
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
        osSignals(on: scheduler, limit: 2) { listen(to: numbers, $0) }
            .enumerated()
            .map { index, signal in index == 0 ? .graceful(signal) : .forced(signal) }
            .take(first: 2)
    }
}
