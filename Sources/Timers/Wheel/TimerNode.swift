/// One timer as the wheel stores it: 32 bytes and the payload.
struct TimerNode<Payload> {
    /// The true deadline. May be later than the slot in which the timer lies, never earlier.
    var deadline: Int64 = 0
    /// Orders timers of the same deadline: first scheduled, first out.
    var sequence: UInt64 = 0
    /// The neighbours in the list of the timer's slot; in a free node, `next` is the next free one.
    var next: Int32 = .none
    var previous: Int32 = .none
    var payload: Payload?
    /// The identity in the upper bits and the slot's number in the lower ones, in one word: a timer has to fit in 48
    /// bytes with a closure.
    private var identityAndSlot: UInt64 = 0

    private static var slotBits: UInt64 { 10 }
    private static var slotMask: UInt64 { (1 &<< slotBits) &- 1 }

    /// Zero when no timer is stored here. 54 bits: at ten million timers a second they last for 57 years.
    var identity: UInt64 {
        get { identityAndSlot &>> Self.slotBits }
        set { identityAndSlot = (newValue &<< Self.slotBits) | (identityAndSlot & Self.slotMask) }
    }

    var slot: Int {
        get { Int(truncatingIfNeeded: identityAndSlot & Self.slotMask) }
        set { identityAndSlot = (identityAndSlot & ~Self.slotMask) | UInt64(truncatingIfNeeded: newValue) }
    }
}

extension Int32 {
    /// Stands for no node where a link to a node is stored; an optional would take eight bytes.
    static var none: Int32 { -1 }
}
