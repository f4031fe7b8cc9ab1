extension Signals {
    /// The elements of a sequence and completion, sent on a scheduler in bursts. Cold: every subscription walks the
    /// sequence.
    ///
    /// ```
    /// from(1...5, on: scheduler, burst: 2) -12-34-5|
    /// ```
    ///
    /// Between two bursts other work on the scheduler runs. The sequence is walked only as far as the observer wants; while
    /// the observer pauses, nothing is scheduled.
    ///
    /// - Ends: after the last element.
    /// - Fails: never.
    /// - Cancelling: ends the walk, also from within or during a burst.
    /// - Buffers: nothing.
    /// - Thread: the scheduler's; nothing is sent during subscribe, unless the scheduler is immediate.
    ///
    /// - Parameters:
    ///   - elements: the sequence.
    ///   - scheduler: the scheduler to send on.
    ///   - burst: how many elements are sent in a row; at least one.
    @inlinable
    public static func from<Elements: Sequence & Sendable, Target: Scheduler>(
        _ elements: Elements,
        on scheduler: Target,
        burst: Int = 256
    ) -> some Signal<Elements.Element, Never> where Elements.Element: Sendable {
        ScheduledSequenceSignal(elements: elements, scheduler: scheduler, burst: burst)
    }
}

@frozen
@usableFromInline
struct ScheduledSequenceSignal<Elements: Sequence & Sendable, Target: Scheduler>: Signal
where Elements.Element: Sendable {
    @usableFromInline typealias Value = Elements.Element
    @usableFromInline typealias Failure = Never
    @usableFromInline let elements: Elements
    @usableFromInline let scheduler: Target
    @usableFromInline let burst: Int

    @inlinable
    init(elements: Elements, scheduler: Target, burst: Int) {
        self.elements = elements
        self.scheduler = scheduler
        self.burst = Swift.max(burst, 1)
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        guard observer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let walk = SequenceWalk<Elements, _, _>(elements.makeIterator(), observer, scheduler: scheduler, burst: burst)
        walk.schedule(SequenceWalkLease(walk))
        return walk
    }

    @usableFromInline var chain: Chain { Chain(source: "sequence on \(scheduler.description)") }
}
