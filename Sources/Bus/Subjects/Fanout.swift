/// Sends each event to every subscriber, in the order they subscribed.
///
/// A subscriber that leaves leaves a hole, so that leaving takes constant time and moves no other. When there are more holes
/// than subscribers, the holes are closed.
@usableFromInline
package struct Fanout<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    @usableFromInline typealias Slot = SubscriberSlot<Value, Failure>

    /// The subscribers, and holes. Each is retained when it comes and released when it leaves (``add(_:)``, ``leave(_:)``,
    /// ``takeAll()``, `deinit`). It is not retained for every event, which would cost more than the call.
    @usableFromInline var slots: ContiguousArray<Unmanaged<Slot>?> = []
    @usableFromInline var holes = 0
    /// Whether a subscriber answered that it has no room, and has not been asked since to call back.
    @usableFromInline var hasPaused = false

    @usableFromInline
    package init() {}

    // A handle may outlive the subject, and holds its slot; the chain below the slot must not live on with it.
    deinit {
        for slot in slots {
            guard let slot = slot?.takeRetainedValue() else { continue }
            slot.release()
        }
    }

    /// How many subscribers there are.
    @inlinable
    package var count: Int { slots.count - holes }

    @inlinable
    package mutating func next(_ value: Value) -> Demand {
        var (stopped, paused) = (false, false)
        // Nobody joins or leaves meanwhile: both wait for their turn among the events.
        slots.withUnsafeBufferPointer { slots in
            for slot in slots {
                // The list retains the slot until this is over.
                guard let demand = slot?._withUnsafeGuaranteedRef({ $0.send(value) }), demand != .more else { continue }
                if demand == .stop { stopped = true } else { paused = true }
            }
        }
        if stopped { terminateStopped() }
        if paused { hasPaused = true }
        return paused ? .pause : .more
    }

    @usableFromInline
    package mutating func lost(_ count: Int) {
        for slot in slots { slot?.takeUnretainedValue().lost(count) }
    }

    @usableFromInline
    package consuming func terminate(_ termination: Termination<Failure>) {
        for slot in takeAll() { slot.terminate(termination) }
    }

    @usableFromInline
    package var demand: Demand { hasPaused ? .pause : .more }

    /// Calls back when every subscriber that has no room has some, or has left.
    @usableFromInline
    package mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let call = LastCall(resume)
        hasPaused = false
        var isPaused = false
        for case let slot? in slots {
            let slot = slot.takeUnretainedValue()
            guard slot.isPaused else { continue }
            slot.isPaused = false
            if slot.whenReady({ withExtendedLifetime(call) {} }) == .pause { isPaused = true }
        }
        if !isPaused { call.forgo() }
        return isPaused ? .pause : .more
    }

    @inlinable
    package mutating func add(_ slot: SubscriberSlot<Value, Failure>) {
        slot.index = slots.count
        if slot.isPaused { hasPaused = true }
        slots.append(Unmanaged.passRetained(slot))
    }

    /// Releases a subscriber that was disposed of.
    @inlinable
    package mutating func remove(_ slot: SubscriberSlot<Value, Failure>) {
        if leave(slot) { closeHoles() }
        // Not terminated: a disposed subscriber hears nothing.
        slot.release()
    }

    /// Removes a subscriber; returns whether it was in the list.
    @inlinable
    mutating func leave(_ slot: Slot) -> Bool {
        guard slot.index >= 0 else { return false }
        slots[slot.index]?.release()
        slots[slot.index] = nil
        slot.index = -1
        holes += 1
        return true
    }

    private mutating func takeAll() -> [Slot] {
        let taken = slots.compactMap { $0?.takeRetainedValue() }
        slots = []
        holes = 0
        for slot in taken { slot.index = -1 }
        return taken
    }

    /// Moves the subscribers together when that has become cheaper than skipping the holes.
    @inlinable
    mutating func closeHoles() {
        guard holes * 2 > slots.count else { return }
        var together = ContiguousArray<Unmanaged<Slot>?>()
        together.reserveCapacity(slots.count - holes)
        for slot in slots {
            guard let slot else { continue }
            slot._withUnsafeGuaranteedRef { $0.index = together.count }
            together.append(slot)
        }
        slots = together
        holes = 0
    }

    /// Ends the subscribers that answered stop. They are removed from the list before they hear it.
    @usableFromInline
    mutating func terminateStopped() {
        let stopped = slots.compactMap { slot -> Slot? in
            guard let slot = slot?.takeUnretainedValue(), slot.hasStopped else { return nil }
            return slot
        }
        for slot in stopped { _ = leave(slot) }
        closeHoles()
        for slot in stopped { slot.terminate(.completed) }
    }
}
