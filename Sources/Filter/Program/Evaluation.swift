import Glibc

/// The state of one evaluation: memory, the macros' variables, and the remaining cost.
struct Evaluation: ~Copyable {
    var arena: Arena
    /// Allocated by the arena, one for each variable of the program; none for a program without.
    private let slots: UnsafeMutablePointer<Value>?
    /// Exhausted when the evaluation has cost too much; its result means nothing then.
    var allowance: Allowance
    private var startTime: Timestamp?

    /// - Parameter cost: the cost that it may have.
    init(_ program: Program, cost: Int) {
        arena = Arena(limit: program.limits.memory)
        allowance = Allowance(cost)
        slots = program.slotCount == 0 ? nil : arena.slots(program.slotCount)
    }

    subscript(slot: Int32) -> Value {
        get {
            // The checker assigned the slot, so there are slots, and it was set before its body began.
            slots?[Int(slot)] ?? .null
        }
        nonmutating set {
            slots?[Int(slot)] = newValue
        }
    }

    /// The time when it was first read; it is the same in all of the evaluation.
    mutating func now() -> Value {
        if let startTime { return .timestamp(startTime) }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        startTime = Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
        return startTime.map(Value.timestamp) ?? .null
    }
}
