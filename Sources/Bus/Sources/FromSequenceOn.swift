public import Synchronization

extension Signals {
    /// The elements of a sequence and completion, sent on a scheduler in bursts. Cold: every subscription walks the
    /// sequence.
    ///
    /// ```
    /// from(1...5, on: scheduler, burst: 2) -12-34-5|
    /// ```
    ///
    /// Between two bursts other work on the scheduler runs. The sequence is walked only as far as the observer wants.
    ///
    /// - Ends: after the last element.
    /// - Fails: never.
    /// - Cancelling: ends the walk, also from within or during a burst.
    /// - Buffers: nothing.
    /// - Thread: the scheduler's; nothing is sent during subscribe, unless the scheduler is immediate.
    ///
    /// - Parameters:
    ///   - elements: what is sent.
    ///   - scheduler: where it is sent.
    ///   - burst: how many elements are sent on end; at least one.
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
        guard observer.demand == .more else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let walk = SequenceWalk(elements, observer, scheduler: scheduler, burst: burst)
        walk.schedule(SequenceWalkLease(walk))
        return walk
    }

    @usableFromInline var chain: Chain { Chain(source: "sequence on \(scheduler.description)") }
}

/// One walk through a sequence, a burst at a time.
@usableFromInline
final class SequenceWalk<Elements: Sequence & Sendable, Target: Scheduler, Downstream: Observer & ~Copyable>:
    Disposable, @unchecked Sendable
where Elements.Element == Downstream.Value, Downstream.Failure == Never {
    @usableFromInline static var waiting: UInt8 { 0 }
    @usableFromInline static var sending: UInt8 { 1 }
    /// Ended or disposed of.
    @usableFromInline static var over: UInt8 { 2 }

    @usableFromInline let phase = Atomic<UInt8>(0)
    // Touched by who took the phase from `waiting` to `sending`, until the phase is given back; once it is `over`, by
    // who made it so from `waiting`, or else by who was sending. That is one at a time.
    @exclusivity(unchecked) @usableFromInline var iterator: Elements.Iterator?
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    @usableFromInline let scheduler: Target
    @usableFromInline let burst: Int
    /// Makes a loop of an immediate scheduler's recursion.
    @usableFromInline let turns = Trampoline()

    @inlinable
    init(_ elements: Elements, _ downstream: consuming Downstream, scheduler: Target, burst: Int) {
        iterator = elements.makeIterator()
        self.downstream = consume downstream
        self.scheduler = scheduler
        self.burst = burst
    }

    @inlinable
    func schedule(_ lease: SequenceWalkLease<Elements, Target, Downstream>) {
        scheduler.schedule { self.turns.run { self.sendBurst(lease) } }
    }

    @inlinable
    func sendBurst(_ lease: SequenceWalkLease<Elements, Target, Downstream>) {
        guard change(from: Self.waiting, to: Self.sending) else { return }
        var sent = 0
        while sent < burst, phase.load(ordering: .relaxed) == Self.sending {
            guard let element = iterator?.next(), downstream?.next(element) == .more else { return finish() }
            sent += 1
        }
        if change(from: Self.sending, to: Self.waiting) {
            schedule(lease)
        } else {
            letGo()
        }
    }

    @inlinable
    func change(from old: UInt8, to new: UInt8) -> Bool {
        phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }

    @usableFromInline
    func finish() {
        let wasDisposed = phase.exchange(Self.over, ordering: .acquiringAndReleasing) == Self.over
        iterator = nil
        let downstream = self.downstream.take()
        if !wasDisposed { downstream?.terminate(.completed) }
    }

    @usableFromInline
    func letGo() {
        iterator = nil
        downstream = nil
    }

    @usableFromInline
    func dispose() {
        if phase.exchange(Self.over, ordering: .acquiringAndReleasing) == Self.waiting { letGo() }
    }

    @usableFromInline
    var isDisposed: Bool { phase.load(ordering: .acquiring) == Self.over }
}

/// Held by the scheduled work alone: when the scheduler drops that, the chain goes too.
@usableFromInline
final class SequenceWalkLease<Elements: Sequence & Sendable, Target: Scheduler, Downstream: Observer & ~Copyable>:
    Sendable
where Elements.Element == Downstream.Value, Downstream.Failure == Never {
    private let walk: SequenceWalk<Elements, Target, Downstream>

    @usableFromInline
    init(_ walk: SequenceWalk<Elements, Target, Downstream>) {
        self.walk = walk
    }

    deinit {
        walk.dispose()
    }
}
