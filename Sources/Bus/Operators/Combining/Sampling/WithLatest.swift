extension Signal {
    /// Each value, together with the latest of another signal.
    ///
    /// ```
    /// self        --1-----2--3-----4|
    /// other       ----a--------b-|
    /// with latest --------2a-3a----4b|
    /// ```
    ///
    /// The other signal is subscribed to first. Values that come before it has sent anything are left out; its own
    /// values send nothing. Its completion changes nothing: its last value stays.
    ///
    /// - Ends: with this signal.
    /// - Fails: with this signal; the other cannot fail.
    /// - Cancelling: ends both subscriptions.
    /// - Buffers: the other's latest value; at most 1,024 values while the observer pauses or
    ///   another thread delivers. The other signal is not paused.
    /// - Thread: this signal's.
    @inlinable
    @inline(__always)
    public consuming func withLatest<Other: Signal>(
        from other: Other
    ) -> some Signal<(Value, Other.Value), Failure> where Other.Failure == Never {
        WithLatestSignal(upstream: self, other: other)
    }
}

@frozen
@usableFromInline
struct WithLatestSignal<Upstream: Signal, Other: Signal>: Signal where Other.Failure == Never {
    @usableFromInline typealias Value = (Upstream.Value, Other.Value)
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let other: Other

    @inlinable
    init(upstream: Upstream, other: Other) {
        self.upstream = upstream
        self.other = other
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = SerialObserver(WithLatestMachine<Upstream.Value, Other.Value, Downstream>(observer))
        output.resources.add(other.subscribe(KeptInput(output)))
        if !output.isClosing { output.resources.add(upstream.subscribe(WithLatestInput(output, Sender(output)))) }
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("withLatest(from:)") }
    @usableFromInline var chain: Chain { upstream.chain.appending("withLatest(from: \(other.chain))") }
}

/// Below the one order into which both signals are put: keeps the other's latest value.
@frozen
@usableFromInline
struct WithLatestMachine<Main: Sendable, Kept: Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable,
    KeepingMachine
where Downstream.Value == (Main, Kept) {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var kept: Kept?
    @usableFromInline var downstream: Downstream

    @inlinable
    init(_ downstream: consuming Downstream) {
        self.downstream = downstream
    }

    @inlinable
    mutating func received(_ value: Main) -> Demand {
        guard let kept else { return downstream.demand }
        return downstream.next((value, kept))
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

/// Hears the signal whose values are sent.
@frozen
@usableFromInline
struct WithLatestInput<Value: Sendable, Kept: Sendable, Downstream: Observer & ~Copyable>: InputObserver, ~Copyable
where Downstream.Value == (Value, Kept) {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = WithLatestMachine<Value, Kept, Downstream>
    @usableFromInline let output: SerialObserver<Machine>
    @usableFromInline let sender: Sender<Machine>

    @inlinable
    init(_ output: SerialObserver<Machine>, _ sender: Sender<Machine>) {
        self.output = output
        self.sender = sender
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.sendNow { $0.received(value) } ?? nextLater(value) }

    @usableFromInline
    func nextLater(_ value: Value) -> Demand { output.sendLater { $0.received(value) } }
}

/// Keeps one value of a signal that sends nothing by itself.
@usableFromInline
protocol KeepingMachine: Observer, ~Copyable {
    associatedtype Kept: Sendable

    var kept: Kept? { get set }
}

/// Hears a signal of which only the latest value counts. Its end and its losses send nothing: a lost value would have
/// been as old as the value that is kept.
@frozen
@usableFromInline
struct KeptInput<Machine: KeepingMachine & ~Copyable>: RoomlessInput, ~Copyable {
    @usableFromInline typealias Value = Machine.Kept
    @usableFromInline typealias Failure = Never
    // Not a sender: the downstream may be released when the signal whose values are sent is gone.
    @usableFromInline let output: SerialObserver<Machine>

    @inlinable
    init(_ output: SerialObserver<Machine>) {
        self.output = output
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        let demand = output.sendNow {
            $0.kept = value
            return $0.demand
        }
        return (demand ?? nextLater(value)).withoutPause
    }

    @usableFromInline
    func nextLater(_ value: Value) -> Demand {
        output.updateLater {
            $0.kept = value
            return $0.demand
        }
    }

    @inlinable
    mutating func lost(_ count: Int) {}

    @usableFromInline
    consuming func terminate(_ termination: Termination<Never>) {
        // If it was told to stop, the others may be waiting for its end.
        if output.isClosing { output.terminate(.completed) }
    }
}
