extension Signal {
    /// The latest value, each time another signal sends.
    ///
    /// ```
    /// self    --1--2-----------3----|
    /// trigger ---------x---x-x----x--
    /// sample  ---------2---2-2----3-|
    /// ```
    ///
    /// A value is repeated when there is no newer one. (ReactiveCocoa and ReactiveSwift do the same; RxSwift leaves a
    /// repeated value out.) Before this signal has sent anything, nothing is sent. This signal is subscribed to
    /// first.
    ///
    /// - Ends: when either of the two ends (as in ReactiveCocoa; ReactiveSwift waits for both). A value that came
    ///   after the last sample is not heard.
    /// - Fails: with this signal; the trigger cannot fail.
    /// - Cancelling: ends both subscriptions.
    /// - Buffers: the latest value; at most 1,024 values while the observer pauses or
    ///   another thread delivers. This signal is not paused.
    /// - Thread: the trigger's; an end may come on this signal's.
    @inlinable
    @inline(__always)
    public consuming func sample<Trigger: Signal>(
        when trigger: Trigger
    ) -> some Signal<Value, Failure> where Trigger.Failure == Never {
        SampleSignal(upstream: self, trigger: trigger)
    }
}

@frozen
@usableFromInline
struct SampleSignal<Upstream: Signal, Trigger: Signal>: Signal where Trigger.Failure == Never {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let trigger: Trigger

    @inlinable
    init(upstream: Upstream, trigger: Trigger) {
        self.upstream = upstream
        self.trigger = trigger
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = SerialObserver(SampleMachine(observer))
        let sender = Sender(output)
        output.resources.add(upstream.subscribe(SampledInput(output, sender)))
        if !output.isClosing {
            output.resources.add(trigger.subscribe(SampleTrigger<Trigger.Value, Downstream>(output, sender)))
        }
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("sample(when:)") }
    @usableFromInline var chain: Chain { upstream.chain.appending("sample(when: \(trigger.chain))") }
}

/// Below the one order into which both signals are put: keeps the latest value.
@frozen
@usableFromInline
struct SampleMachine<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var kept: Value?
    @usableFromInline var downstream: Downstream

    @inlinable
    init(_ downstream: consuming Downstream) {
        self.downstream = downstream
    }

    /// A value to be sampled.
    @inlinable
    mutating func next(_ value: Value) -> Demand {
        kept = value
        return downstream.demand
    }

    @inlinable
    mutating func sample() -> Demand {
        guard let kept else { return downstream.demand }
        return downstream.next(kept)
    }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}

/// Hears the signal that is sampled.
@frozen
@usableFromInline
struct SampledInput<Downstream: Observer & ~Copyable>: RoomlessInput, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let output: SerialObserver<SampleMachine<Downstream>>
    @usableFromInline let sender: Sender<SampleMachine<Downstream>>

    @inlinable
    init(_ output: SerialObserver<SampleMachine<Downstream>>, _ sender: Sender<SampleMachine<Downstream>>) {
        self.output = output
        self.sender = sender
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        (output.sendNow { $0.next(value) } ?? nextLater(value)).withoutPause
    }

    @usableFromInline
    func nextLater(_ value: Value) -> Demand { output.updateLater { $0.next(value) } }

    /// Values that are never sampled are not reported as losses.
    @inlinable
    mutating func lost(_ count: Int) {}
}

/// Hears the trigger.
@frozen
@usableFromInline
struct SampleTrigger<Value: Sendable, Downstream: Observer & ~Copyable>: InputObserver, ~Copyable {
    @usableFromInline typealias Failure = Never
    @usableFromInline let output: SerialObserver<SampleMachine<Downstream>>
    @usableFromInline let sender: Sender<SampleMachine<Downstream>>

    @inlinable
    init(_ output: SerialObserver<SampleMachine<Downstream>>, _ sender: Sender<SampleMachine<Downstream>>) {
        self.output = output
        self.sender = sender
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.sendNow { $0.sample() } ?? sampleLater() }

    @usableFromInline
    func sampleLater() -> Demand { output.sendLater { $0.sample() } }

    /// As many samples are missing.
    @inlinable
    consuming func terminate(_ termination: Termination<Never>) { output.terminate(.completed) }
}
