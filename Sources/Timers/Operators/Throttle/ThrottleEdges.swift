/// Where in a throttle's window a value passes.
public enum ThrottleEdges: Sendable, Hashable {
    /// At the window's beginning only: the value that opens it, at once.
    case leading
    /// At the window's end only: one of the values that came in it.
    case trailing
    /// At both.
    case both
}

/// Which of the values in a throttle's window passes at its end.
public enum ThrottleChoice: Sendable, Hashable {
    case first
    case latest
}
