import Synchronization

/// Losses of one input that wait in the queue to be reported.
///
/// Further losses join them, until a value is sent behind them. So a source that reports losses without end takes no memory
/// while nothing can be delivered.
@usableFromInline
final class LossReport: Sendable {
    private static let delivered = -1

    private let count: Atomic<Int>

    @usableFromInline
    init(_ count: Int) {
        self.count = Atomic(count)
    }

    /// Adds losses. False when the report was delivered already.
    @usableFromInline
    func join(_ more: Int) -> Bool {
        var known = count.load(ordering: .relaxed)
        while known != Self.delivered {
            let (sum, hasOverflown) = known.addingReportingOverflow(more)
            let (exchanged, original) = count.compareExchange(
                expected: known,
                desired: hasOverflown ? .max : sum,
                ordering: .acquiringAndReleasing
            )
            if exchanged { return true }
            known = original
        }
        return false
    }

    /// The number of all of them, when the report is delivered. Asked for once.
    @usableFromInline
    func take() -> Int { count.exchange(Self.delivered, ordering: .acquiringAndReleasing) }
}
