import Loop

/// The system had no descriptor or thread for timers.
public struct TimerError: Error, Equatable, CustomStringConvertible {
    /// The system's error number (`errno`).
    public let code: CInt

    /// A description of what was being done, why it failed and what to do about it.
    public let description: String

    init(_ error: EventLoopError) {
        code = error.code
        description = "cannot set up timers: \(error)"
    }
}
