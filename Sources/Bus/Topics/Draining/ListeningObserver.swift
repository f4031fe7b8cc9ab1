/// Passes everything on, and keeps its subscriber listed on the bus for as long as the subscriber lives.
@frozen
@usableFromInline
struct ListeningObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let listener: Listener

    @inlinable
    init(_ downstream: consuming Downstream, _ listener: Listener) {
        self.downstream = downstream
        self.listener = listener
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        let listener = listener
        var downstream: Downstream? = downstream
        listener.end { downstream.take()?.terminate(termination) }
    }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}

extension SubscriberQueue where Downstream: ~Copyable {
    /// Returns how many values wait here. It does not hold the queue.
    @usableFromInline
    var waiting: @Sendable () -> Int { { [state] in state.withLock { $0.line.values } } }
}

extension SerialObserver where Downstream: ~Copyable {
    /// Returns how many values wait here. It does not hold the observer.
    @usableFromInline
    var waiting: @Sendable () -> Int { { [pending] in pending.withLock { $0.values } } }
}
