public import Synchronization

/// One subscription to a `concat`: hands the downstream from one signal to the next.
///
/// Only one signal runs at a time, and its end is heard before the next one is subscribed to. So its observer can own
/// the downstream, and an event needs neither a lock nor a place in a queue.
@usableFromInline
final class ConcatSubscription<Elements: Sequence & Sendable, Downstream: Observer & ~Copyable>: @unchecked Sendable
where
    Elements.Element: Signal,
    Elements.Element.Value == Downstream.Value,
    Elements.Element.Failure == Downstream.Failure
{
    @usableFromInline let handle: SubscriptionGate
    @usableFromInline let starts = Trampoline()
    /// Set when `arrived` is written, and cleared by the turn of `starts` that takes it. A turn can be under way when a signal ends:
    /// a call for room may come late.
    @usableFromInline let hasArrived = Atomic<Bool>(false)
    /// The downstream of the one signal that has ended.
    @exclusivity(unchecked) @usableFromInline var arrived: Downstream?
    // All are touched by the caller that takes a turn of `starts`, one at a time.
    @exclusivity(unchecked) @usableFromInline var iterator: Elements.Iterator
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    /// Called by a disposal while there is no room; it holds this object.
    @exclusivity(unchecked) @usableFromInline var waiting: ActionDisposable?

    @inlinable
    init(_ signals: Elements, handle: SubscriptionGate) {
        self.handle = handle
        iterator = signals.makeIterator()
    }

    /// Subscribes to the next signal, here or, when a signal has ended inside its own `subscribe`, after that returned.
    @inlinable
    func goOn(with downstream: consuming Downstream) {
        arrived = consume downstream
        hasArrived.store(true, ordering: .releasing)
        goOn()
    }

    @inlinable
    func goOn() {
        starts.run {
            if hasArrived.exchange(false, ordering: .acquiring) { downstream = arrived.take() }
            if downstream == nil { return }
            if handle.isDisposed {
                downstream = nil
                return
            }
            if downstream?.demand == .pause, waitsForRoom() { return }
            guard let downstream = self.downstream.take() else { return }
            waiting.take()?.forgo()
            guard let signal = iterator.next() else {
                downstream.terminate(.completed)
                return
            }
            handle.carry(signal.subscribe(ConcatObserver(self, downstream)))
        }
    }

    /// Whether the downstream, which pauses, calls back before the next signal is subscribed to. A disposal does so, too.
    @usableFromInline
    func waitsForRoom() -> Bool {
        guard downstream?.whenReady({ self.goOn() }) == .pause else { return false }
        let waiting = ActionDisposable { self.goOn() }
        self.waiting?.forgo()
        self.waiting = waiting
        handle.carry(waiting)
        return true
    }
}

@frozen
@usableFromInline
struct ConcatObserver<Elements: Sequence & Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where
    Elements.Element: Signal,
    Elements.Element.Value == Downstream.Value,
    Elements.Element.Failure == Downstream.Failure
{
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let concat: ConcatSubscription<Elements, Downstream>
    // Beside `concat`, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let handle: SubscriptionGate
    @usableFromInline var downstream: Downstream
    @usableFromInline var hasStopped = false

    @inlinable
    init(_ concat: ConcatSubscription<Elements, Downstream>, _ downstream: consuming Downstream) {
        self.concat = concat
        handle = concat.handle
        self.downstream = downstream
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if handle.isDisposed { return .stop }
        let demand = downstream.next(value)
        if demand == .stop { hasStopped = true }
        return demand
    }

    @inlinable
    mutating func lost(_ count: Int) {
        if !handle.isDisposed { downstream.lost(count) }
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        if handle.isDisposed { return }
        switch termination {
        case .completed where !hasStopped: concat.goOn(with: downstream)
        case .completed, .failed: downstream.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { hasStopped || handle.isDisposed ? .stop : downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        demand == .stop ? .stop : downstream.whenReady(resume)
    }
}
