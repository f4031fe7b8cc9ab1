/// Which value of a burst passes a debounce.
public enum DebounceEdge: Sendable, Hashable {
    /// The last one, when the burst is over.
    case trailing
    /// The first one, at once.
    case leading
}
