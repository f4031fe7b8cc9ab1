import Loop

/// The system could not give what timers need: a descriptor or a thread.
public struct TimerError: Error, Equatable, CustomStringConvertible {
    /// The system's error number (`errno`).
    public let code: CInt

    /// What was being done, why it failed and what to do about it.
    public let description: String

    init(_ error: EventLoopError) {
        code = error.code
        description = "cannot set up timers: \(error)"
    }
}
