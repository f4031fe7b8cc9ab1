/// The lists of timers: 64 slots a level and two lists for those that are due, with a bitmap of the occupied ones.
///
/// Only it owns its memory: `~Copyable`, the pointers are private, and `deinit` frees them.
struct WheelSlots: ~Copyable {
    struct Slot {
        var first = Int32.none
        var last = Int32.none
        /// No timer in the slot has an earlier tick. Set by insertion only, so it may be too early, never too late.
        var earliest: UInt64 = 0
    }

    /// Due, but in no order yet.
    let overdue: Int
    /// Due, and in the order in which they are handed out.
    let ready: Int

    private let memory: UnsafeMutableRawPointer
    private let slots: UnsafeMutablePointer<Slot>
    /// A bit for every slot of a level that has timers.
    private let occupied: UnsafeMutablePointer<UInt64>
    /// A bit for every level that has timers.
    private var occupiedLevels: UInt32 = 0
    private let levels: Int

    init(levels: Int) {
        self.levels = levels
        overdue = levels * 64
        ready = overdue + 1
        // One piece of whole cache lines, so that the wheels of two threads share none.
        let count = levels * 64 + 2
        let slotBytes = MemoryLayout<Slot>.stride * count
        let bytes = (slotBytes + MemoryLayout<UInt64>.stride * levels + 127) / 128 * 128
        memory = .allocate(byteCount: bytes, alignment: 128)
        slots = memory.bindMemory(to: Slot.self, capacity: count)
        slots.initialize(repeating: Slot(), count: count)
        occupied = (memory + slotBytes).bindMemory(to: UInt64.self, capacity: levels)
        occupied.initialize(repeating: 0, count: levels)
    }

    deinit {
        memory.deallocate()
    }

    /// Slot numbers come from `place` and from nodes, which `place` wrote: always below `levels * 64 + 2`.
    @inline(__always)
    subscript(_ number: Int) -> Slot {
        get { slots[number] }
        nonmutating set { slots[number] = newValue }
    }

    /// The same in place: assigning through the subscript would write the whole slot.
    @inline(__always)
    func address(_ number: Int) -> UnsafeMutablePointer<Slot> { slots + number }

    /// The slot of a tick. Its level is that of the highest digit in which the tick differs from the current tick. So
    /// timers on a lower level come earlier, and in a level the slots come in their order, without wrapping.
    @inline(__always)
    func place(of tick: UInt64, now: UInt64) -> Int {
        guard tick > now else { return overdue }
        let level = (63 &- ((tick ^ now) | 63).leadingZeroBitCount) / 6
        let digit = Int(truncatingIfNeeded: tick &>> UInt64(truncatingIfNeeded: level &* 6)) & 63
        return level &* 64 &+ digit
    }

    // `occupied[level] |= …` would do the same, but the compiler (6.3.1) cannot build that for Thread Sanitizer.
    @inline(__always)
    mutating func markOccupied(_ number: Int) {
        guard number < overdue else { return }
        let level = number &>> 6
        occupied[level] = occupied[level] | 1 &<< UInt64(truncatingIfNeeded: number & 63)
        occupiedLevels |= 1 &<< UInt32(truncatingIfNeeded: level)
    }

    @inline(__always)
    mutating func markEmpty(_ number: Int) {
        guard number < overdue else { return }
        let level = number &>> 6
        let left = occupied[level] & ~(1 &<< UInt64(truncatingIfNeeded: number & 63))
        occupied[level] = left
        if left == 0 { occupiedLevels &= ~(1 &<< UInt32(truncatingIfNeeded: level)) }
    }

    /// The slot whose time comes first, from two bitmaps.
    @inline(__always)
    var firstOccupied: Int? {
        guard occupiedLevels != 0 else { return nil }
        let level = occupiedLevels.trailingZeroBitCount
        return level &* 64 &+ occupied[level].trailingZeroBitCount
    }

    /// When the slot's time begins.
    @inline(__always)
    func start(of number: Int) -> UInt64 {
        let shift = UInt64(truncatingIfNeeded: (number &>> 6) &* 6)
        return (self[number].earliest &>> shift) &<< shift
    }
}

/// The slots are plain numbers in memory with one owner (`~Copyable`, no pointer escapes), so they may move between
/// threads.
extension WheelSlots: @unchecked Sendable {}

/// The clock's range as the wheel counts it: unsigned ticks of 2^bits nanoseconds, from the earliest `Int64` on.
struct WheelTicks {
    let bits: UInt64
    /// The tick after the last whole one, for deadlines in the last fraction of the range.
    let last: UInt64

    init(bits: Int) {
        self.bits = UInt64(min(max(bits, 0), 32))
        last = bits <= 0 ? .max : 1 &<< (64 &- self.bits)
    }

    /// How many levels of 64 slots are needed to reach every tick.
    var levels: Int { bits == 0 ? 11 : Int(64 &- bits &+ 1 &+ 5) / 6 }

    /// The first tick that is not before `nanoseconds`: rounding up keeps a timer from being early.
    @inline(__always)
    func roundedUp(_ nanoseconds: Int64) -> UInt64 {
        let offset = UInt64(bitPattern: nanoseconds) ^ (1 &<< 63)
        return (offset &>> bits) &+ (offset & ((1 &<< bits) &- 1) == 0 ? 0 : 1)
    }

    /// The last tick that has come when the clock shows `nanoseconds`. At the very end of the range the remaining
    /// fraction of a tick counts as whole, or its timers would never come.
    @inline(__always)
    func reached(_ nanoseconds: Int64) -> UInt64 {
        nanoseconds == .max ? last : (UInt64(bitPattern: nanoseconds) ^ (1 &<< 63)) &>> bits
    }

    /// When a tick comes.
    @inline(__always)
    func nanoseconds(_ tick: UInt64) -> Int64 {
        tick == last ? .max : Int64(bitPattern: (tick &<< bits) ^ (1 &<< 63))
    }
}
