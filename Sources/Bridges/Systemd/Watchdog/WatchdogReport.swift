/// What a watchdog did.
public enum WatchdogReport: Sendable, Hashable {
    /// The manager was told that the process lives.
    case pinged
    /// These health signals have stalled, so the manager was told nothing. Unless they speak again, it acts when the time
    /// since the last ping has passed.
    case withheld([StalledHealth])
    /// These health signals have stalled, and the manager was told that the service is broken.
    case triggered([StalledHealth])
    /// All is well, and the manager could not be told; tried again after a quarter of the watchdog's time.
    case unsent(NotifyError)
}

/// A health signal that has said nothing for too long, or failed.
public struct StalledHealth: Sendable, Hashable {
    /// What the ``HealthSignal`` is called.
    public let name: String
    /// How long it has said nothing.
    public let silence: Duration
    /// What it failed with, if it did.
    public let failure: String?

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
