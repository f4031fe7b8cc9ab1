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
