extension Signal {
    /// Turns each value into a signal, and sends the values of all these signals as they come.
    ///
    /// ```
    /// self      --a------b--|
    /// inner(a)    -1--2--3|
    /// inner(b)           -4--5|
    /// flatMap   ---1--2--34--5|
    /// ```
    ///
    /// At most `maxConcurrent` inner signals run at once; with 1 the result is ordered as a `concat`. Values that come
    /// while that many run wait, at most `limit` of them; then the source waits, or, where it must not
    /// (``Overflow/wait``), the value is lost. Without a `maxConcurrent` nothing waits and nothing is lost.
    ///
    /// A million synchronous inner signals need no more stack than one.
    ///
    /// - Ends: when the source and all inner signals have.
    /// - Fails: with the first failure of any; the others are released before.
    /// - Cancelling: ends the source's and all inner subscriptions.
    /// - Buffers: at most `limit` values that wait for their turn.
    /// - Thread: that of whichever signal speaks.
    ///
    /// - Parameters:
    ///   - maxConcurrent: how many inner signals may run at once; at least one does.
    ///   - limit: how many values may wait for their turn.
    ///   - transform: makes a signal of a value.
    @inlinable
    public func flatMap<Inner: Signal>(
        maxConcurrent: Int = .max,
        limit: Int = 1024,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> some Signal<Inner.Value, Failure> where Inner.Failure == Failure {
        FlatMapSignal(upstream: self, maxConcurrent: maxConcurrent, limit: limit, transform: transform)
    }
}

@frozen
@usableFromInline
struct FlatMapSignal<Upstream: Signal, Inner: Signal>: Signal where Inner.Failure == Upstream.Failure {
    @usableFromInline typealias Value = Inner.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let maxConcurrent: Int
    @usableFromInline let limit: Int
    @usableFromInline let transform: @Sendable (Upstream.Value) -> Inner

    @inlinable
    init(
        upstream: Upstream,
        maxConcurrent: Int,
        limit: Int,
        transform: @escaping @Sendable (Upstream.Value) -> Inner
    ) {
        self.upstream = upstream
        self.maxConcurrent = maxConcurrent
        self.limit = limit
        self.transform = transform
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let flattening = FlatMapSubscription(
            SerialObserver(observer),
            turns: FlatMapTurns(maxConcurrent: maxConcurrent, limit: limit),
            transform: transform
        )
        flattening.output.resources.add(upstream.subscribe(FlatMapOuterObserver(flattening)))
        return flattening.output.handle
    }

    @usableFromInline var chain: Chain { upstream.chain.appending("flatMap") }
}

/// Hears the values that are to become signals.
@frozen
@usableFromInline
struct FlatMapOuterObserver<Value: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let flattening: FlatMapSubscription<Value, Inner, Downstream>

    @inlinable
    init(_ flattening: FlatMapSubscription<Value, Inner, Downstream>) {
        self.flattening = flattening
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { flattening.outerNext(value) }

    @inlinable
    mutating func lost(_ count: Int) { flattening.output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: flattening.outerCompleted()
        case .failed: flattening.output.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { flattening.output.demand }
}

/// Hears one inner signal.
@frozen
@usableFromInline
struct FlatMapInnerObserver<Element: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let flattening: FlatMapSubscription<Element, Inner, Downstream>
    // Beside `flattening`, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let registration: InnerRegistration

    @inlinable
    init(_ flattening: FlatMapSubscription<Element, Inner, Downstream>, _ registration: InnerRegistration) {
        self.flattening = flattening
        output = flattening.output
        self.registration = registration
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: flattening.innerCompleted(registration)
        case .failed: output.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { output.demand }
}
