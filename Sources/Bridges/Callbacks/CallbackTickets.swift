import Bus

/// The emitters for the context pointers that C libraries hold.
///
/// A ticket is a number in the form of a pointer: a slot, and how often the slot was given away before. A ticket
/// whose subscription is over finds nothing, however late it comes and whatever has taken its slot.
@usableFromInline
final class CallbackTickets: Sendable {
    @usableFromInline static let shared = CallbackTickets()

    private struct Slot: Sendable {
        /// The object that has the emitter; nil while the slot is free.
        var holder: (any AnyObject & Sendable)?
        /// Even numbers are skipped, so that a ticket is never zero and never an aligned address.
        var generation: UInt32 = 1
    }

    private struct State: Sendable {
        var slots: [Slot] = []
        var free: [UInt32] = []
    }

    private let state = Lock(State())

    /// How many tickets are out.
    var count: Int { state.withLock { $0.slots.count - $0.free.count } }

    @usableFromInline
    func issue(to holder: any AnyObject & Sendable) -> UInt {
        state.withLock { state in
            let index: UInt32
            if let free = state.free.popLast() {
                index = free
            } else {
                index = UInt32(state.slots.count)
                state.slots.append(Slot())
            }
            state.slots[Int(index)].holder = holder
            return UInt(index) << 32 | UInt(state.slots[Int(index)].generation)
        }
    }

    @usableFromInline
    func holder(of ticket: UInt) -> (any AnyObject & Sendable)? {
        let (index, generation) = (Int(ticket >> 32), UInt32(truncatingIfNeeded: ticket))
        return state.withLock { state -> (any AnyObject & Sendable)? in
            guard index < state.slots.count, state.slots[index].generation == generation else { return nil }
            return state.slots[index].holder
        }
    }

    @usableFromInline
    func retire(_ ticket: UInt) {
        let (index, generation) = (Int(ticket >> 32), UInt32(truncatingIfNeeded: ticket))
        let holder = state.withLock { state -> (any AnyObject & Sendable)? in
            guard index < state.slots.count, state.slots[index].generation == generation else { return nil }
            defer { state.slots[index].holder = nil }
            state.slots[index].generation &+= 2
            state.free.append(UInt32(index))
            return state.slots[index].holder
        }
        // Its captures are released here, without the lock.
        withExtendedLifetime(holder) {}
    }
}
