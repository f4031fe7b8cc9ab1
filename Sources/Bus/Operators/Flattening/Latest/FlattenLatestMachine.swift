/// The choice of the inner signal that is heard, without senders and threads: it stands below the one order into
/// which all of them and their source are put.
@frozen
@usableFromInline
struct FlattenLatestMachine<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    /// The number of the signal that is heard.
    @usableFromInline var present: UInt64 = 0
    @usableFromInline var presentRuns = false
    @usableFromInline var outerIsDone = false
    @usableFromInline var downstream: Downstream

    @inlinable
    init(_ downstream: consuming Downstream) {
        self.downstream = downstream
    }

    @inlinable
    mutating func switched(to inner: UInt64) -> Demand {
        present = inner
        presentRuns = true
        return downstream.demand
    }

    /// Returns whether nothing more can come.
    @inlinable
    mutating func ended(_ inner: UInt64) -> Bool {
        if inner == present { presentRuns = false }
        return outerIsDone && !presentRuns
    }

    /// Returns whether nothing more can come.
    @inlinable
    mutating func outerEnded() -> Bool {
        outerIsDone = true
        return !presentRuns
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}

/// The state that the inner signals of a `flatMap(.latest)` and their source share.
///
/// It is their right to send: when the last of them releases it, the downstream is freed. It keeps the closure that
/// the latest inner signal left to be called when there is room. It keeps one at a time: where a source switches
/// again and again while nothing is taken, the requests of earlier signals are released.
@usableFromInline
final class LatestRequest<Downstream: Observer & ~Copyable>: Sendable {
    private struct State: Sendable {
        var serial: UInt64 = 0
        var resume: (@Sendable () -> Void)?
        /// The output has been asked to call.
        var isAsked = false
    }

    private let output: SerialObserver<Downstream>
    private let state = Lock(State())
    /// The switches that wait for their turn.
    let switches = Lock(LatestSwitches())

    @usableFromInline
    init(_ output: SerialObserver<Downstream>) {
        self.output = output
    }

    deinit {
        output.abandon()
    }

    @usableFromInline
    func wait(_ serial: UInt64, _ resume: @escaping @Sendable () -> Void) -> Demand {
        let (isFirst, previous) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            // A signal that was switched away from meanwhile must not send again.
            guard serial >= state.serial else { return (false, nil) }
            defer { state = State(serial: serial, resume: resume, isAsked: true) }
            return (!state.isAsked, state.resume)
        }
        withExtendedLifetime(previous) {}
        guard isFirst else { return .pause }
        // The output holds the call, but not this object, whose release it waits for.
        let answer = output.whenReady { [state] in Self.take(from: state).waiting?() }
        guard answer != .pause else { return .pause }
        // A later one may have come in between, and relies on the call.
        let (waiting, latest) = Self.take(from: state)
        if latest != serial { waiting?() }
        return answer
    }

    private static func take(from state: Lock<State>) -> (waiting: (@Sendable () -> Void)?, serial: UInt64) {
        state.withLock { state -> ((@Sendable () -> Void)?, UInt64) in
            state.isAsked = false
            return (state.resume.take(), state.serial)
        }
    }
}

/// The switches of a `flatMap(.latest)` that wait in the queue while its observer pauses and its source goes on all the
/// same.
///
/// As many wait as the queue holds values, each in its place among them. Of the switches that come then and have no
/// place, only the newest counts: the last switch in the queue becomes the newest, and the signals in between are not
/// heard.
struct LatestSwitches: Sendable {
    private let most = 1024
    private var waiting = 0
    /// The last one that has a place.
    private var last: UInt64 = 0
    private var newest: UInt64 = 0
    /// The newest has no place, and its signal has ended already.
    private var newestHasEnded = false

    /// Whether to put it in the queue.
    mutating func wait(_ serial: UInt64) -> Bool {
        newest = serial
        newestHasEnded = false
        guard waiting < most else { return false }
        waiting += 1
        last = serial
        return true
    }

    /// Takes a switch at its turn. Returns which signal is the latest now, and whether its end was kept here.
    mutating func take(_ serial: UInt64) -> (latest: UInt64, hasEnded: Bool) {
        waiting -= 1
        guard waiting == 0, newest > last else { return (serial, false) }
        last = newest
        return (newest, newestHasEnded)
    }

    /// Whether the end of a signal is kept here, because it has no place in the queue.
    mutating func end(_ serial: UInt64) -> Bool {
        guard serial > last, serial <= newest else { return false }
        if serial == newest { newestHasEnded = true }
        return true
    }
}
