/// Events that a client missed since the last report.
struct PendingLosses {
    enum Reason: String, CaseIterable {
        /// Too many waited to be looked at.
        case queue
        /// The client did not read.
        case buffer
        /// The watch had used up its processor time.
        case processor
    }

    private var counts = (queue: 0, buffer: 0, processor: 0)
    private var isEmpty = true

    mutating func add(_ count: Int, _ reason: Reason) {
        isEmpty = false
        switch reason {
        case .queue: counts.queue += count
        case .buffer: counts.buffer += count
        case .processor: counts.processor += count
        }
    }

    /// Calls `body` for each reason with losses, and forgets them.
    mutating func takeAll(_ body: (_ count: Int, _ reason: Reason) -> Void) {
        if isEmpty { return }
        let taken = counts
        self = PendingLosses()
        if taken.queue > 0 { body(taken.queue, .queue) }
        if taken.buffer > 0 { body(taken.buffer, .buffer) }
        if taken.processor > 0 { body(taken.processor, .processor) }
    }
}
