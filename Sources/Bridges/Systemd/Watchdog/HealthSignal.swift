public import Bus
import Timers

/// A signal whose values show that some part of the program works.
public struct HealthSignal: Sendable {
    /// What it is called in a ``WatchdogReport``.
    public let name: String
    /// How long it may say nothing.
    public let period: Duration
    let listen: @Sendable (Heartbeat) -> any Disposable

    /// - Parameters:
    ///   - name: what the part is called.
    ///   - period: how long it may say nothing. A good deal longer than the longest pause of the signal, and shorter than
    ///     the watchdog's time.
    ///   - signal: its values count, not what they are. One that has completed is silent; one that has failed is taken for
    ///     stalled at once. To look at a thread, let it speak: `interval(every:).deliver(on: thatThread)`.
    public init(_ name: String, within period: Duration, _ signal: some Signal) {
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

    // What was lost was said.
    mutating func lost(_ count: Int) { heartbeat.heard() }

    consuming func terminate(_ termination: Termination<Failure>) {
        if case .failed(let failure) = termination { heartbeat.failed("\(failure)") }
    }

    var demand: Demand { .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { .more }
}
