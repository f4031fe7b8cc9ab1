extension Signal {
    /// The values until another signal sends an event, then the events of that signal.
    ///
    /// ```
    /// self        --1---2---3---4--
    /// replacement ---------a---b--|
    /// result      --1---2--a---b--|
    /// ```
    ///
    /// The replacement is subscribed to first; when it sends during that, this signal is never subscribed to. Its end
    /// counts as well: when it completes before it has sent anything, the result completes.
    ///
    /// - Ends: with the replacement. This signal's completion is not heard.
    /// - Fails: with the replacement, and before the replacement's first event, with this signal.
    /// - Cancelling: ends both subscriptions.
    /// - Buffers: nothing; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: this signal's, then the replacement's. This signal is released before the replacement is heard.
    @inlinable
    @inline(__always)
    public consuming func take<Replacement: Signal>(
        untilReplacement replacement: Replacement
    ) -> some Signal<Value, Failure> where Replacement.Value == Value, Replacement.Failure == Failure {
        TakeUntilReplacementSignal(upstream: self, replacement: replacement)
    }
}

@frozen
@usableFromInline
struct TakeUntilReplacementSignal<Upstream: Signal, Replacement: Signal>: Signal
where Upstream.Value == Replacement.Value, Upstream.Failure == Replacement.Failure {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let replacement: Replacement

    @inlinable
    init(upstream: Upstream, replacement: Replacement) {
        self.upstream = upstream
        self.replacement = replacement
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        // Of two signals, the replacement being the second, the later one is heard, as `.latest` does it.
        let output = SerialObserver(FlattenLatestMachine(observer))
        let request = LatestRequest(output)
        let replaced = SerialDisposable()
        output.resources.add(replaced)
        output.resources.add(replacement.subscribe(ReplacementObserver(output, request, replaced)))
        if !replaced.isDisposed, !output.isClosing {
            replaced.set(upstream.subscribe(ReplacedObserver(output, request, replaced)))
        }
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("take(untilReplacement:)") }
    @usableFromInline var chain: Chain {
        upstream.chain.appending("take(untilReplacement: \(replacement.chain))")
    }
}

/// Hears the signal that is to be replaced, until it is.
@frozen
@usableFromInline
struct ReplacedObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = FlattenLatestMachine<Downstream>
    @usableFromInline var heard: LatestInnerObserver<Downstream>
    @usableFromInline let replaced: SerialDisposable

    @inlinable
    init(_ output: SerialObserver<Machine>, _ request: LatestRequest<Machine>, _ replaced: SerialDisposable) {
        heard = LatestInnerObserver(0, output, request)
        self.replaced = replaced
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { heard.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { heard.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        // Not heard, unless it confirms that nothing more is wanted.
        case .completed: if heard.output.isClosing { heard.output.terminate(.completed) }
        case .failed: heard.failed(termination)
        }
    }

    @inlinable
    var demand: Demand { heard.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { heard.whenReady(resume) }
}

/// Hears the replacement.
@frozen
@usableFromInline
struct ReplacementObserver<Downstream: Observer & ~Copyable>: InputObserver, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = FlattenLatestMachine<Downstream>
    @usableFromInline let output: SerialObserver<Machine>
    @usableFromInline let request: LatestRequest<Machine>
    @usableFromInline let replaced: SerialDisposable
    @usableFromInline var hasBegun = false

    @inlinable
    init(_ output: SerialObserver<Machine>, _ request: LatestRequest<Machine>, _ replaced: SerialDisposable) {
        self.output = output
        self.request = request
        self.replaced = replaced
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if !hasBegun { begin() }
        return output.next(value)
    }

    @usableFromInline
    mutating func begin() {
        hasBegun = true
        output.perform { machine, _ in _ = machine?.switched(to: 1) }
        replaced.dispose()
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        replaced.dispose()
        output.terminate(termination)
    }
}
