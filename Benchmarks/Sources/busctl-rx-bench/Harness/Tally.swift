/// The place where a contender's last step adds what arrived, so that the work cannot be optimised away.
///
/// A bare pointer, because a stored property of a class would add a check at every event that should not be measured.
struct Tally: @unchecked Sendable {
    // One thread adds at a time, and the reader waits until it is done. Each contender hears its events in order.
    private let sum: UnsafeMutablePointer<UInt64>

    /// The sum of what `body` added.
    static func of(_ body: (Tally) throws -> Void) rethrows -> UInt64 {
        let sum = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        sum.initialize(to: 0)
        defer { sum.deallocate() }
        try body(Tally(sum: sum))
        return sum.pointee
    }

    @inline(__always)
    func add(_ value: Int) { sum.pointee &+= UInt64(truncatingIfNeeded: value) }
}

extension Tally {
    /// The sum of `0..<count`.
    static func ofNumbers(below count: Int) -> UInt64 {
        var sum: UInt64 = 0
        for number in 0..<count { sum &+= UInt64(truncatingIfNeeded: number) }
        return sum
    }
}
