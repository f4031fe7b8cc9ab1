public import Bus

/// A signal whose values wait in a ``PacedQueue``.
@frozen
@usableFromInline
struct PacedSignal<Upstream: Signal, Pacing: Pace, Time: TimedScheduler>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let pace: Pacing
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Failure>
    /// Whether a failure waits in the queue as well.
    @usableFromInline let holdsFailures: Bool
    @usableFromInline let scheduler: Time

    @inlinable
    init(
        upstream: Upstream,
        pace: Pacing,
        limit: Int,
        overflow: Overflow<Failure>,
        holdsFailures: Bool,
        scheduler: Time
    ) {
        self.upstream = upstream
        self.pace = pace
        self.limit = limit
        self.overflow = overflow
        self.holdsFailures = holdsFailures
        self.scheduler = scheduler
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = SerialObserver(observer)
        let subscription = PacedSubscription(
            output,
            PacedQueue(pace, limit: limit, overflow: overflow),
            scheduler
        )
        output.resources.add(upstream.subscribe(PacedInput(subscription, holdsFailures: holdsFailures)))
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending(Pacing.name) }
    @usableFromInline var chain: Chain { upstream.chain.appending(pace.name) }
}

/// Hears the source.
@frozen
@usableFromInline
struct PacedInput<Pacing: Pace, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let subscription: PacedSubscription<Pacing, Downstream, Time>
    @usableFromInline let holdsFailures: Bool

    @inlinable
    init(_ subscription: PacedSubscription<Pacing, Downstream, Time>, holdsFailures: Bool) {
        self.subscription = subscription
        self.holdsFailures = holdsFailures
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { subscription.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { subscription.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        if case .failed = termination, !holdsFailures {
            subscription.terminateNow(termination)
        } else {
            subscription.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { subscription.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { subscription.whenReady(resume) }
}

/// When the entries of a ``PacedQueue`` may go. Instants are nanoseconds on the scheduler's clock.
@usableFromInline
protocol Pace: Sendable {
    /// Whether a value that may go when it comes, with nothing before it, need not enter the queue.
    var letsPass: Bool { get }

    /// The operator's name in a chain, and without its arguments.
    var name: String { get }
    static var name: String { get }

    /// When the first value in the queue, which came at `arrival`, may go.
    mutating func due(arrival: Int64, at now: Int64) -> Int64

    /// When an end or a loss that is first in the queue may be sent.
    func dueOther(arrival: Int64) -> Int64

    /// A value went.
    mutating func sent(at now: Int64)
}
