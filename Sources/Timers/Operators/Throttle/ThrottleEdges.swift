/// The edges of a throttle's window at which a value passes.
public enum ThrottleEdges: Sendable, Hashable {
    /// Only at the window's beginning: the value that opens it, at once.
    case leading
    /// Only at the window's end: one of the values that came in it.
    case trailing
    /// At both.
    case both
}

/// The value of a throttle's window that passes at its end.
public enum ThrottleChoice: Sendable, Hashable {
    case first
    case latest
}
