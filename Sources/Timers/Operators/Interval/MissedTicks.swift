/// What an interval does about ticks that came due while nobody could deliver them: a slow handler, a busy scheduler, a
/// stopped process.
public enum MissedTicks: Sendable, Hashable {
    /// The latest of them comes at once and says how many were missed before it; the beat goes on as it was.
    ///
    /// Those that come due while the observer has no room, which then has older ticks to handle, are left out altogether: the
    /// next one comes at its time and counts them.
    case skip
    /// They come one right after another, at most so many in addition to the first; those before them are skipped and
    /// counted. The beat goes on as it was. Also those that come due while the observer has no room come as soon as it has,
    /// and no faster than it takes them.
    case catchUp(atMost: Int)
    /// One comes at once, or when the observer has room, and the beat begins anew with it, so that none is missed and the
    /// next is a period away.
    case delay
}
