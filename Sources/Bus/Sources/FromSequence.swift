public import Synchronization

extension Signals {
    /// The elements of a sequence and completion. Cold: every subscription walks the sequence.
    ///
    /// ```
    /// from(1...3) 123|
    /// ```
    ///
    /// The sequence is walked only as far as the observer wants. When the observer pauses, `subscribe` returns, and the walk
    /// goes on later.
    ///
    /// - Ends: after the last element, during subscribe if the observer never pauses.
    /// - Fails: never.
    /// - Cancelling: by the observer, which answers that it wants no more (as `take(first:)` does), or, once it has paused,
    ///   by the handle. `from(_:on:)` can be cancelled at any time.
    /// - Thread: the subscriber's; after a pause, the one that makes room.
    ///
    /// - Parameter elements: the sequence.
    @inlinable
    @inline(__always)
    public static func from<Elements: Sequence & Sendable>(
        _ elements: Elements
    ) -> some Signal<Elements.Element, Never> where Elements.Element: Sendable {
        SequenceSignal(elements: elements)
    }
}

@frozen
@usableFromInline
struct SequenceSignal<Elements: Sequence & Sendable>: Signal where Elements.Element: Sendable {
    @usableFromInline typealias Value = Elements.Element
    @usableFromInline typealias Failure = Never
    @usableFromInline let elements: Elements

    @inlinable
    init(elements: Elements) {
        self.elements = elements
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        var demand = observer.demand
        var iterator = elements.makeIterator()
        while demand == .more, let element = iterator.next() {
            demand = observer.next(element)
        }
        if demand == .pause { return walkOn(Elements.self, from: iterator, observer) }
        observer.terminate(.completed)
        return FinishedDisposable()
    }

    @usableFromInline var chain: Chain { Chain(source: "sequence") }
}

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
        walk.schedule(DropGuard(walk))
        return walk
    }

    @usableFromInline var chain: Chain { Chain(source: "sequence on \(scheduler.name)") }
}

/// A walk through the rest of a sequence, on a scheduler, that stops while its observer pauses.
@usableFromInline
final class SequenceWalk<Elements: Sequence & Sendable, Target: Scheduler, Downstream: Observer & ~Copyable>:
    Disposable, Abandonable, @unchecked Sendable
where Elements.Element == Downstream.Value {
    @usableFromInline static var waiting: UInt8 { 0 }
    @usableFromInline static var sending: UInt8 { 1 }
    @usableFromInline static var over: UInt8 { 2 }

    @usableFromInline let phase = Atomic<UInt8>(0)
    // Touched by the caller that took the phase from `waiting` to `sending`, until the phase is given back; once it is
    // `over`, by the caller that made it so from `waiting`, or else by the caller that was sending. That is one at a time.
    @exclusivity(unchecked) @usableFromInline var elements: Elements.Iterator?
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    @usableFromInline let scheduler: Target
    @usableFromInline let burst: Int
    /// The end to send after the last element.
    @usableFromInline let end: Termination<Downstream.Failure>
    /// A scheduler of several threads may start the next burst before the present one has ended; and an observer may call
    /// back before the walk has stopped for it.
    @usableFromInline let bursts = Trampoline()

    @inlinable
    init(
        _ elements: Elements.Iterator,
        _ downstream: consuming Downstream,
        scheduler: Target,
        burst: Int,
        end: Termination<Downstream.Failure> = .completed
    ) {
        self.elements = elements
        self.downstream = consume downstream
        self.scheduler = scheduler
        self.burst = burst
        self.end = end
    }

    @inlinable
    func schedule(_ lease: DropGuard<SequenceWalk<Elements, Target, Downstream>>) {
        scheduler.schedule { self.bursts.run { self.sendBurst(lease) } }
    }

    @inlinable
    func sendBurst(_ lease: DropGuard<SequenceWalk<Elements, Target, Downstream>>) {
        guard change(from: Self.waiting, to: Self.sending) else { return }
        var sent = 0
        var demand = downstream?.demand ?? .stop
        while phase.load(ordering: .relaxed) == Self.sending {
            if demand == .pause { demand = downstream?.whenReady { self.schedule(lease) } ?? .stop }
            switch demand {
            case .pause: return stop()
            case .stop: return finish(.completed)
            case .more:
                guard sent < burst else {
                    stop()
                    return schedule(lease)
                }
                guard let element = elements?.next() else { return finish(end) }
                demand = downstream?.next(element) ?? .stop
                sent += 1
            }
        }
        letGo()
    }

    @inlinable
    func change(from old: UInt8, to new: UInt8) -> Bool {
        phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }

    /// Leaves the rest for another burst.
    @usableFromInline
    func stop() {
        if !change(from: Self.sending, to: Self.waiting) { letGo() }
    }

    @usableFromInline
    func finish(_ termination: Termination<Downstream.Failure>) {
        let wasDisposed = phase.exchange(Self.over, ordering: .acquiringAndReleasing) == Self.over
        elements = nil
        let downstream = self.downstream.take()
        if !wasDisposed { downstream?.terminate(termination) }
    }

    @usableFromInline
    func letGo() {
        elements = nil
        downstream = nil
    }

    @usableFromInline
    func dispose() {
        if phase.exchange(Self.over, ordering: .acquiringAndReleasing) == Self.waiting { letGo() }
    }

    @usableFromInline
    var isDisposed: Bool { phase.load(ordering: .acquiring) == Self.over }

    /// A scheduler ended with the next burst in it, or an observer was freed that was to call back: the walk cannot go on.
    @usableFromInline
    func abandon() { dispose() }
}

/// Goes on with a sequence whose observer has paused, on whatever thread makes room.
///
/// Not inlined, because the chains that never pause should be small.
@inlinable
@inline(never)
func walkOn<Elements: Sequence & Sendable, Downstream: Observer & ~Copyable>(
    _ type: Elements.Type,
    from elements: Elements.Iterator,
    _ downstream: consuming Downstream,
    end: Termination<Downstream.Failure> = .completed
) -> any Disposable where Elements.Element == Downstream.Value {
    let walk = SequenceWalk<Elements, _, _>(
        elements,
        downstream,
        scheduler: ImmediateScheduler(),
        burst: .max,
        end: end
    )
    walk.schedule(DropGuard(walk))
    return walk
}
