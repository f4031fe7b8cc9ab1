import Bus
import Dispatch

/// One source of Dispatch at work for one subscription, suspended while the observer pauses.
final class SourceRun: Disposable, @unchecked Sendable {
    private enum Phase {
        case running
        case suspended
        case cancelled
    }

    // Dispatch's objects may be used from any thread.
    private let source: any DispatchSourceProtocol
    // Suspending and resuming are counted, so each is done under the lock and only where it changes something.
    private let phase = Lock(Phase.running)

    /// Starts the source. It and its handlers' captures are released when it has been cancelled.
    ///
    /// - Parameters:
    ///   - cancelled: runs on the source's queue when nothing more will be called: the place to close the watched
    ///     descriptor.
    ///   - handler: called with this and the source's data.
    init(
        _ source: any DispatchSourceProtocol,
        cancelled: (@Sendable () -> Void)? = nil,
        _ handler: @escaping @Sendable (_ run: SourceRun, _ data: Int) -> Void
    ) {
        self.source = source
        // Keeps the source, until the cancellation releases the handler.
        source.setEventHandler { handler(self, Int(clamping: self.source.data)) }
        if let cancelled { source.setCancelHandler(handler: cancelled) }
        source.activate()
    }

    /// Called in the handler: suspends the source until the observer, which pauses, calls
    /// back.
    ///
    /// - Parameter whenReady: the observer's `Observer.whenReady`.
    /// - Returns: the observer's answer. The source is not suspended unless it was `Demand.pause`.
    func pause(until whenReady: (@escaping @Sendable () -> Void) -> Demand) -> Demand {
        // First, because the observer may call back on another thread at once.
        phase.withLock { phase in
            guard phase == .running else { return }
            phase = .suspended
            source.suspend()
        }
        let demand = whenReady { self.resume() }
        if demand != .pause { resume() }
        return demand
    }

    private func resume() {
        phase.withLock { phase in
            guard phase == .suspended else { return }
            phase = .running
            source.resume()
        }
    }

    func dispose() {
        phase.withLock { phase in
            guard phase != .cancelled else { return }
            let wasSuspended = phase == .suspended
            phase = .cancelled
            source.cancel()
            // A suspended source would never be notified, and must not be released.
            if wasSuspended { source.resume() }
        }
    }

    var isDisposed: Bool { phase.withLock { $0 == .cancelled } }
}

extension Emitter {
    /// Sends a value of a source, and suspends the source while the observer pauses.
    func send(_ value: Value, from run: SourceRun) {
        guard send(value) == .pause else { return }
        if run.pause(until: { whenReady($0) }) == .stop { complete() }
    }
}
