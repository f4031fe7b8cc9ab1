/// What becomes of a calendar's times for which no tick could come: because the program did not run, the machine was
/// suspended, the clock was set forward, or a handler was slow.
///
/// ```
/// hourly, stamped 01:00          subscribed 04:30 ------- 05:00 ---------- 06:00 --
/// .skip                                                   05:00, 3 missed  06:00
/// .runOnce                       04:00, 2 missed          05:00            06:00
/// .runAll                        02:00 03:00 04:00        05:00            06:00
/// .runOnce, within 20 minutes                             05:00, 3 missed  06:00
/// .runAll, within 2 hours        03:00, 1 missed, 04:00   05:00            06:00
/// ```
public enum MissedTimes: Sendable, Hashable {
    /// Times that passed before the subscription do not come. Of those that come due later at once, the latest comes
    /// and counts the others.
    case skip
    /// The latest of them comes at once, and counts the others.
    case runOnce
    /// All come, one right after another, from the earliest on. Only the grace period bounds their number. Times that
    /// come due while the observer pauses come when it is ready, no faster than it takes them.
    case runAll
}
