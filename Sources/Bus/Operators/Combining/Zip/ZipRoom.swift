public import Synchronization

/// How many values of each input of a `zip` wait. Both the input and the pairing thread read it.
@usableFromInline
final class ZipRoom: @unchecked Sendable {
    @usableFromInline let limit: Int
    // One atomic counter an input, of the values taken; allocated and freed with this object, which every counting
    // object holds.
    @usableFromInline let counters: UnsafeMutablePointer<Atomic<Int>>
    private let inputs: Int

    @usableFromInline
    init(inputs: Int, limit: Int) {
        self.inputs = inputs
        self.limit = max(1, limit)
        counters = .allocate(capacity: inputs)
        for index in 0..<inputs { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counters.deinitialize(count: inputs)
        counters.deallocate()
    }

    /// How many values of all inputs can wait. The line before the machine has room for so many, and loses none: a
    /// value lost there would shift all that follow it.
    @usableFromInline
    var total: Int {
        let (total, isMost) = limit.multipliedReportingOverflow(by: inputs)
        return isMost ? .max : total
    }

    @usableFromInline
    func isFull(sent: Int, at index: Int) -> Bool {
        sent - counters[index].load(ordering: .acquiring) >= limit
    }

    /// Whether an input that was told to pause is not yet to go on.
    func isCrowded(sent: Int, at index: Int) -> Bool {
        sent - counters[index].load(ordering: .relaxed) > limit / 2
    }
}
