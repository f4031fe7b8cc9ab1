/// A hierarchical timing wheel: schedule, cancel and reschedule in constant time, for any number of timers.
///
/// It is a value without clock, thread or lock: the caller passes the time in, as nanoseconds of any clock. Deadlines
/// are rounded up to the wheel's resolution, so a timer is never handed out early and at most one tick late. Every
/// `Int64` is a deadline; one that has passed is due at once.
///
/// ```
///                 now
/// level 0   ·  ·  |  ·  x  ·  ·        64 slots of one tick
/// level 1      ·  |   ·   x            64 slots of 64 ticks; its timers are spread over level 0 when its time begins
/// level 2   …                          and so on; the levels together reach the whole line
/// ```
///
/// A timer on a higher level is looked at again when its slot's time begins, but that causes no wake-up:
/// `nextDeadline` is the earliest tick in the first slot that is occupied, and empty slots cost nothing.
package struct TimerWheel<Payload>: ~Copyable {
    /// A timer whose time has come.
    package struct Expired {
        package let deadline: Int64
        package let payload: Payload
    }

    private var slab = TimerSlab<Payload>()
    private var slots: WheelSlots
    private let ticks: WheelTicks
    /// Everything at or before this tick has been found due.
    private var now: UInt64
    private var lastSequence: UInt64 = 0
    /// Kept, so that sorting a tick's timers does not allocate.
    private var sorting: [Order] = []

    /// A tick of 2^10 ns, 1 µs: well below what a thread needs to wake up, and ten levels reach the whole line.
    package static var defaultResolutionBits: Int { 10 }

    /// - Parameters:
    ///   - start: the clock's reading now, in nanoseconds.
    ///   - resolutionBits: a tick is 2^`resolutionBits` nanoseconds, 0 to 32; zero makes the wheel exact.
    package init(startingAt start: Int64, resolutionBits: Int = Self.defaultResolutionBits) {
        ticks = WheelTicks(bits: resolutionBits)
        slots = WheelSlots(levels: ticks.levels)
        now = ticks.reached(start)
    }

    /// How many timers are scheduled.
    package var count: Int { slab.count }

    /// How many timers there is memory for.
    package var capacity: Int { slab.capacity }

    /// Whether so many timers have gone that it is worth giving freed heap memory back to the system; true once for
    /// that.
    package mutating func takeHasShrunk() -> Bool { slab.takeHasShrunk() }

    /// Whether the token's timer is still scheduled.
    package func contains(_ token: TimerToken) -> Bool { slab.find(token) != nil }

    /// When `popExpired` has to be called next, or nil when nothing is scheduled; a time that has passed means at once.
    ///
    /// Never later than the earliest timer is due. It may be earlier when that one was cancelled or put off.
    package var nextDeadline: Int64? {
        let (ready, overdue) = (slots[slots.ready], slots[slots.overdue])
        if ready.first != .none || overdue.first != .none {
            let earliestReady = ready.first != .none ? ready.earliest : .max
            let earliestOverdue = overdue.first != .none ? overdue.earliest : .max
            return ticks.nanoseconds(min(earliestReady, earliestOverdue))
        }
        guard let first = slots.firstOccupied else { return nil }
        return ticks.nanoseconds(slots[first].earliest)
    }

    package mutating func schedule(at deadline: Int64, _ payload: consuming Payload) -> TimerToken {
        lastSequence &+= 1
        let token = slab.insert(deadline: deadline, sequence: lastSequence, payload: payload)
        append(token.index, to: slots.place(of: ticks.roundedUp(deadline), now: now), tick: ticks.roundedUp(deadline))
        return token
    }

    /// Takes the timer out and hands back its payload; nil when it is not scheduled any more.
    package mutating func cancel(_ token: TimerToken) -> Payload? {
        guard let node = slab.find(token) else { return nil }
        remove(node)
        return slab.remove(token.index)
    }

    /// Gives a scheduled timer another deadline; it then orders as if it had been scheduled now.
    ///
    /// A later deadline is only stored: the timer stays in its slot and is moved when the slot's time comes.
    /// - Returns: false when the timer is not scheduled any more.
    package mutating func reschedule(_ token: TimerToken, to deadline: Int64) -> Bool {
        guard let node = slab.find(token) else { return false }
        lastSequence &+= 1
        node.pointee.deadline = deadline
        node.pointee.sequence = lastSequence
        let tick = ticks.roundedUp(deadline)
        let slot = node.pointee.slot
        // The slot is looked at no later than its earliest tick; only a timer before that has to be moved.
        if tick < slots[slot].earliest || slot == slots.ready {
            remove(node)
            append(token.index, to: slots.place(of: tick, now: now), tick: tick)
        }
        return true
    }

    /// Takes out the next timer that is due when the clock shows `time`, or nil when none is left.
    ///
    /// Called until it returns nil, it yields all due timers by deadline, and those with the same deadline in the
    /// order in which they were scheduled. In between, timers may be scheduled, cancelled and rescheduled, also due
    /// ones; a timer scheduled with a deadline that has passed comes after those that this call has already found
    /// due. A `time` before an earlier one yields the timers that were due then and changes nothing else: see
    /// ``rewind(to:)``.
    package mutating func popExpired(at time: Int64) -> Expired? {
        while let due = nextExpired(at: time) {
            if let payload = take(due) { return Expired(deadline: due.deadline, payload: payload) }
        }
        return nil
    }

    /// Whether the wheel has found timers due that are not yet due when the clock shows `time`: the clock was set
    /// back.
    package func isAhead(of time: Int64) -> Bool { now > ticks.reached(time) }

    /// Sets the time to `time`, earlier than the wheel has been: timers that were found due and not taken wait again
    /// until their time comes. Takes time in proportion to the number of timers.
    package mutating func rewind(to time: Int64) {
        var first = Int32.none
        for number in 0...slots.ready where slots[number].first != .none {
            slab.node(slots[number].last).pointee.next = first
            first = slots[number].first
            slots[number] = WheelSlots.Slot()
            slots.markEmpty(number)
        }
        now = ticks.reached(time)
        distribute(from: first)
    }

    /// A timer whose time has come, still scheduled.
    package struct Due {
        package let deadline: Int64
        fileprivate let token: TimerToken
    }

    /// The timer that ``popExpired(at:)`` would take out.
    package mutating func nextExpired(at time: Int64) -> Due? {
        let target = ticks.reached(time)
        while true {
            let index = slots[slots.ready].first
            if index != .none {
                let node = slab.node(index)
                let token = TimerToken(index: index, identity: node.pointee.identity)
                return Due(deadline: node.pointee.deadline, token: token)
            }
            if slots[slots.overdue].first != .none {
                makeReady()
                continue
            }
            guard let slot = slots.firstOccupied, slots.start(of: slot) <= target else {
                now = max(now, target)
                return nil
            }
            now = min(slots[slot].earliest, target)
            spread(slot)
        }
    }

    /// Takes out a timer that was found due; nil when it was cancelled or rescheduled since.
    package mutating func take(_ due: Due) -> Payload? {
        guard let node = slab.find(due.token), node.pointee.deadline == due.deadline else { return nil }
        return cancel(due.token)
    }
}

// MARK: - Lists

extension TimerWheel {
    private struct Order {
        let deadline: Int64
        let sequence: UInt64
        let index: Int32

        static func < (a: Order, b: Order) -> Bool {
            a.deadline != b.deadline ? a.deadline < b.deadline : a.sequence < b.sequence
        }
    }

    /// Moves a slot's timers to where they belong now: into finer slots, or among the due.
    private mutating func spread(_ slot: Int) {
        let first = slots[slot].first
        slots[slot] = WheelSlots.Slot()
        slots.markEmpty(slot)
        distribute(from: first)
    }

    /// Moves the timers of a list that belongs to no slot any more to where they belong now.
    private mutating func distribute(from first: Int32) {
        var index = first
        while index != .none {
            let node = slab.node(index)
            let next = node.pointee.next
            let tick = ticks.roundedUp(node.pointee.deadline)
            append(index, to: slots.place(of: tick, now: now), tick: tick)
            index = next
        }
    }

    /// Sorts the due timers. Timers that were put off meanwhile go back to their slots.
    private mutating func makeReady() {
        sorting.removeAll(keepingCapacity: sorting.capacity <= 4096)
        var index = slots[slots.overdue].first
        slots[slots.overdue] = WheelSlots.Slot()
        var isSorted = true
        while index != .none {
            let node = slab.node(index)
            let next = node.pointee.next
            let tick = ticks.roundedUp(node.pointee.deadline)
            if tick > now {
                append(index, to: slots.place(of: tick, now: now), tick: tick)
            } else {
                let order = Order(deadline: node.pointee.deadline, sequence: node.pointee.sequence, index: index)
                if let last = sorting.last, order < last { isSorted = false }
                sorting.append(order)
            }
            index = next
        }
        if !isSorted { sorting.sort(by: <) }
        for order in sorting { append(order.index, to: slots.ready, tick: ticks.roundedUp(order.deadline)) }
    }

    @inline(__always)
    private mutating func append(_ index: Int32, to slot: Int, tick: UInt64) {
        let node = slab.node(index)
        let list = slots.address(slot)
        let last = list.pointee.last
        node.pointee.slot = slot
        node.pointee.previous = last
        node.pointee.next = .none
        list.pointee.last = index
        if last == .none {
            list.pointee.first = index
            list.pointee.earliest = tick
            slots.markOccupied(slot)
        } else {
            slab.node(last).pointee.next = index
            list.pointee.earliest = min(list.pointee.earliest, tick)
        }
    }

    @inline(__always)
    private mutating func remove(_ node: UnsafeMutablePointer<TimerNode<Payload>>) {
        let (slot, previous, next) = (node.pointee.slot, node.pointee.previous, node.pointee.next)
        if previous != .none {
            slab.node(previous).pointee.next = next
        } else {
            slots.address(slot).pointee.first = next
        }
        if next != .none {
            slab.node(next).pointee.previous = previous
        } else {
            slots.address(slot).pointee.last = previous
        }
        if previous == .none, next == .none { slots.markEmpty(slot) }
    }
}

/// It alone owns its slots and nodes (`~Copyable`), so it may move between threads with its payloads.
extension TimerWheel: @unchecked Sendable where Payload: Sendable {}
