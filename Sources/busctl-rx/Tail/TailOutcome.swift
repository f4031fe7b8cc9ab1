import Bus

/// The outcome of a run: the first event that ends it decides.
final class TailOutcome: Sendable {
    struct End: Sendable {
        let status: ExitStatus
        /// The message for a person about it. Written by the waiting thread, which may block.
        let reason: String?
    }

    private let decision = Lock<End?>(nil)
    private let decided = Latch()
    private let whenDecided: @Sendable () -> Void

    /// - Parameter whenDecided: called with each decision, the first and later ones, on the thread that makes it.
    init(whenDecided: @escaping @Sendable () -> Void = {}) {
        self.whenDecided = whenDecided
    }

    /// `nil` while nothing has ended the run.
    var end: End? { decision.withLock { $0 } }

    func decide(_ status: ExitStatus, because reason: String? = nil) {
        decision.withLock { end in
            if end == nil { end = End(status: status, reason: reason) }
        }
        decided.open()
        whenDecided()
    }

    /// Blocks until something has ended the run.
    func wait() -> End {
        while true {
            decided.wait()
            if let end { return end }
        }
    }
}
