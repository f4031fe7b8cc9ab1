import Bus

/// How a run ended: the first thing that ends it decides.
final class TailOutcome: Sendable {
    private let status = Lock<ExitStatus?>(nil)
    private let decided = Latch()

    func decide(_ end: ExitStatus) {
        status.withLock { status in
            if status == nil { status = end }
        }
        decided.open()
    }

    /// Blocks until something has ended the run.
    func wait() -> ExitStatus {
        while true {
            decided.wait()
            if let status = status.withLock({ $0 }) { return status }
        }
    }
}
