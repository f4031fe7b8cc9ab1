/// The way in which an interval treats ticks that came due while nobody could deliver them: because of a slow
/// handler, a busy scheduler, or a stopped process.
public enum MissedTicks: Sendable, Hashable {
    /// The latest of them comes at once and says how many were missed before it; the beat goes on as it was.
    ///
    /// Ticks that come due while the observer has no room are left out altogether, because it then has older ticks to
    /// handle: the next one comes at its time and counts them.
    case skip
    /// They come one right after another, at most so many in addition to the first; ticks before them are skipped and
    /// counted. The beat goes on as it was. Ticks that come due while the observer has no room come as soon as it has
    /// room, and no faster than it takes them.
    case catchUp(atMost: Int)
    /// One comes at once, or when the observer has room, and a new beat begins with it. So none is missed, and the
    /// next is a period away.
    case delay
}
