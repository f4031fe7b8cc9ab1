import Bus

/// The outcome of a run: the first event that ends it decides.
final class TailOutcome: Sendable {
    struct End: Sendable {
        let status: ExitStatus
        /// The message for a person about it. Written by the waiting thread, which may block.
        let reason: String?
    }

    private let end = Lock<End?>(nil)
    private let decided = Latch()

    func decide(_ status: ExitStatus, because reason: String? = nil) {
        end.withLock { end in
            if end == nil { end = End(status: status, reason: reason) }
        }
        decided.open()
    }

    /// Blocks until something has ended the run.
    func wait() -> End {
        while true {
            decided.wait()
            if let end = end.withLock({ $0 }) { return end }
        }
    }
}
