public import Bus

/// A signal, and another one after its silence.
@frozen
@usableFromInline
struct FallbackSignal<Upstream: Signal, Other: Signal>: Signal
where Upstream.Value == Other.Value, Upstream.Failure == WaitFailure<Other.Failure> {
    @usableFromInline typealias Value = Other.Value
    @usableFromInline typealias Failure = Other.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let other: Other

    @inlinable
    init(upstream: Upstream, other: Other) {
        self.upstream = upstream
        self.other = other
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = SerialObserver(observer)
        output.resources.add(upstream.subscribe(FallbackObserver(output, Sender(output), other)))
        return output.handle
    }

    @usableFromInline var chain: Chain { upstream.chain }
}

/// Hears the signal that may fall silent.
@frozen
@usableFromInline
struct FallbackObserver<Other: Signal, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Other.Value == Downstream.Value, Other.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = WaitFailure<Downstream.Failure>
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let sender: Sender<Downstream>
    @usableFromInline let other: Other

    @inlinable
    init(_ output: SerialObserver<Downstream>, _ sender: Sender<Downstream>, _ other: Other) {
        self.output = output
        self.sender = sender
        self.other = other
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: output.terminate(.completed)
        case .failed(.failed(let failure)): output.terminate(.failed(failure))
        case .failed(.silence):
            output.resources.add(other.subscribe(RelayObserver(output, sender)))
        }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
