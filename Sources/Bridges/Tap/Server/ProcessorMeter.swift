import Bus
import Glibc

/// Measures for whom the tap's thread uses its processor time.
///
/// Reading the clock costs a system call, so it is read when the thread starts work for another owner, and for every
/// sixteenth event.
// Unchecked: touched only on the tap's thread.
final class ProcessorMeter: @unchecked Sendable {
    // Used by one thread.
    @exclusivity(unchecked) private var budget: ProcessorBudget?
    @exclusivity(unchecked) private var start: Int64 = 0
    @exclusivity(unchecked) private var left = 0

    /// From now on the thread's work counts for the owner of the budget.
    @inline(__always)
    func enter(_ budget: ProcessorBudget) {
        left -= 1
        if self.budget === budget, left > 0 { return }
        change(to: budget)
    }

    /// From now on the thread's work counts for nobody.
    func leave() { change(to: nil) }

    private func change(to next: ProcessorBudget?) {
        let now = ClockReading.of(CLOCK_THREAD_CPUTIME_ID)
        budget?.spend(now - start)
        budget = next
        start = now
        left = 16
    }
}

/// Processor time that a client may use: a share of the time that passes, saved for half a second at most.
// Unchecked: touched only on the tap's thread.
final class ProcessorBudget: @unchecked Sendable {
    private let share: Double
    private let maxBalance: Double
    // Used by one thread.
    @exclusivity(unchecked) private var balance: Double
    private var refilled: Int64

    init(share: Double, now: Int64 = MonotonicTime.nanoseconds) {
        self.share = max(0.001, share)
        maxBalance = self.share * 500_000_000
        balance = maxBalance
        refilled = now
    }

    func spend(_ nanoseconds: Int64, now: Int64 = MonotonicTime.nanoseconds) {
        refill(now)
        balance -= Double(nanoseconds)
    }

    /// Whether more was used than may be. Then it stays so until some has been saved again.
    @inline(__always)
    var isExhausted: Bool { balance < 0 && isStillExhausted(MonotonicTime.nanoseconds) }

    func isStillExhausted(_ now: Int64) -> Bool {
        guard balance < 0 else { return false }
        refill(now)
        return balance < 0
    }

    /// How long it lasts until what was used too much has been saved again, if nothing more is used.
    var recovery: Duration { .nanoseconds(Int64(max(0, -balance) / share)) }

    private func refill(_ now: Int64) {
        let passed = now - refilled
        refilled = now
        // The share may be infinite, and infinity times zero is no number.
        if passed > 0 { balance = min(maxBalance, balance + Double(passed) * share) }
    }
}
