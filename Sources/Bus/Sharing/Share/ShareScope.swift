/// How long the values of a shared signal are kept. See `Signal.share(replay:while:)`.
public enum ShareScope: Sendable {
    /// From the first subscriber to the last, and not beyond the source's end: a later subscriber starts from
    /// scratch.
    case whileConnected
    /// As long as the shared signal: a later subscriber hears the kept values, and the end if there was one.
    case forever
}
