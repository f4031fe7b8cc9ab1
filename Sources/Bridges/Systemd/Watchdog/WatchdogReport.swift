/// An action of a watchdog.
public enum WatchdogReport: Sendable, Hashable {
    /// The manager was notified that the process is alive.
    case pinged
    /// These health signals have stalled, so the manager was not notified. Unless they send again, it acts when the
    /// time since the last ping has passed.
    case withheld([StalledHealth])
    /// These health signals have stalled, and the manager was notified that the service is broken.
    case triggered([StalledHealth])
    /// No signal has stalled, and the manager could not be notified; tried again after a quarter of the watchdog's time.
    case unsent(NotifyError)
}

/// A health signal that has been silent for too long, or has failed.
public struct StalledHealth: Sendable, Hashable {
    /// The name of the ``HealthSignal``.
    public let name: String
    /// How long it has been silent.
    public let silence: Duration
    /// Its failure, if it failed.
    public let failure: String?

    /// For tests: a value to compare with those of a ``WatchdogReport``.
    public init(name: String, silence: Duration, failure: String? = nil) {
        self.name = name
        self.silence = silence
        self.failure = failure
    }
}

extension StalledHealth: CustomStringConvertible {
    public var description: String {
        failure.map { "\(name) has failed: \($0)" } ?? "\(name) has said nothing for \(silence)"
    }
}
