public import Bus
import Timers

/// A signal whose values show that some part of the program works.
public struct HealthSignal: Sendable {
    /// Its name in a ``WatchdogReport``.
    public let name: String
    /// How long it may be silent.
    public let period: Duration
    let listen: @Sendable (Heartbeat) -> any Disposable

    /// - Parameters:
    ///   - name: the part's name.
    ///   - signal: only the arrival of its values counts. A signal that has completed is silent; one that has failed
    ///     counts as stalled at once. To check a thread, let the signal pass through it:
    ///     `interval(every:).deliver(on: thatThread)`.
    ///   - period: how long it may be silent. A good deal longer than the longest pause of the signal, and shorter
    ///     than the watchdog's time.
    public init(_ name: String, _ signal: some Signal, within period: Duration) {
        self.name = name
        self.period = period
        listen = { signal.subscribe(HealthObserver(heartbeat: $0)) }
    }
}

/// Notes that something was heard.
private struct HealthObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    let heartbeat: Heartbeat

    mutating func next(_ value: Value) -> Demand {
        heartbeat.heard()
        return .more
    }

    // Lost values were sent, too.
    mutating func lost(_ count: Int) { heartbeat.heard() }

    consuming func terminate(_ termination: Termination<Failure>) {
        if case .failed(let failure) = termination { heartbeat.failed("\(failure)") }
    }

    var demand: Demand { .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { .more }
}
