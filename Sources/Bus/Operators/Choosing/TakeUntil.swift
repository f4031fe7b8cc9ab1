extension Signal {
    /// The values until another signal sends or completes, then completion.
    ///
    /// ```
    /// self        --1---2---3---4--|
    /// trigger     -----------x
    /// take(until) --1---2----|
    /// ```
    ///
    /// The trigger is subscribed to first; when it fires during that, the source is never subscribed to.
    /// (ReactiveCocoa's and ReactiveSwift's reading: the trigger's completion counts. RxSwift and Combine ignore it.)
    ///
    /// - Ends: with the trigger's first event, or with the source; both are released before. Values that came before the
    ///   trigger and wait for the observer are heard first.
    /// - Fails: with the source.
    /// - Cancelling: ends both subscriptions.
    /// - Buffers: nothing; at most 1,024 values while the observer pauses or
    ///   another thread delivers. The trigger is not paused.
    /// - Thread: the source's; the completion may come on the trigger's.
    @inlinable
    public consuming func take<Trigger: Signal>(
        until trigger: Trigger
    ) -> some Signal<Value, Failure> where Trigger.Failure == Never {
        TakeUntilSignal(upstream: self, trigger: trigger)
    }
}

@frozen
@usableFromInline
struct TakeUntilSignal<Upstream: Signal, Trigger: Signal>: Signal where Trigger.Failure == Never {
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
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = SerialObserver(observer)
        output.resources.add(trigger.subscribe(TriggerObserver<Trigger.Value, Downstream>(output)))
        // Without a source there is no sender whose release could end it: a trigger that has fired on another thread
        // brings the end.
        if !output.isClosing {
            output.resources.add(upstream.subscribe(RelayObserver(output, Sender(output))))
        }
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("take(until:)") }
    @usableFromInline var chain: Chain { upstream.chain.appending("take(until: \(trigger.chain))") }
}

/// Completes the output at the first event of its signal.
@frozen
@usableFromInline
struct TriggerObserver<Value: Sendable, Downstream: Observer & ~Copyable>: RoomlessInput, ~Copyable {
    @usableFromInline typealias Failure = Never
    @usableFromInline let output: SerialObserver<Downstream>

    @inlinable
    init(_ output: SerialObserver<Downstream>) {
        self.output = output
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        // Values that came before are heard. No other passes, and the completion follows when the trigger's source has
        // released its resources.
        output.perform { [output] _, _ in output.heard(.stop) }
        return .stop
    }

    @inlinable
    mutating func lost(_ count: Int) {}

    @inlinable
    consuming func terminate(_ termination: Termination<Never>) { output.terminate(.completed) }
}
