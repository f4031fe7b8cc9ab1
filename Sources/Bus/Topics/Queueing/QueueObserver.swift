/// Passes everything on to a subscriber's queue, and abandons the queue when it is released.
@frozen
@usableFromInline
struct QueueObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable where Downstream.Failure == Never {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Never
    @usableFromInline let queue: SubscriberQueue<Downstream>

    @inlinable
    init(_ queue: SubscriberQueue<Downstream>) {
        self.queue = queue
    }

    @inlinable
    deinit {
        queue.abandon()
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { queue.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { queue.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Never>) { queue.terminate() }

    @inlinable
    var demand: Demand { queue.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { queue.whenReady(resume) }
}
