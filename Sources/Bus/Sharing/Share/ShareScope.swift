/// How long what is shared is remembered. See `Signal.share(replay:while:)`.
public enum ShareScope: Sendable {
    /// From the first subscriber to the last, and not beyond the source's end: who comes after starts from scratch.
    case whileConnected
    /// As long as the shared signal: who comes after hears what was kept, and the end if there was one.
    case forever
}
