/// Why a call that blocks its thread was refused.
public enum BlockingError: Error, Equatable {
    /// The caller runs in a task. Tasks share few threads, and must not block them.
    case insideTask
    /// The caller runs on a thread that the package has started: a scheduler's, an event loop's or a source's. Timers, OS
    /// signals and other subscriptions may depend on it.
    case onPackageThread
}

extension BlockingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .insideTask: "refused to block the thread of a task; use sendWhenReady, which suspends the task"
        case .onPackageThread:
            "refused to block a thread of a scheduler, an event loop or a source; use send and whenReady, or send from another thread"
        }
    }
}
