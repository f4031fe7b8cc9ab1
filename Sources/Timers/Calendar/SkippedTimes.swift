extension CalendarSchedule {
    /// What becomes of a local time that the clocks skip, as they do in spring.
    ///
    /// ```
    /// 02:30 in Berlin, where 02:00 becomes 03:00 on March 29
    /// local time   28th 02:30 ---------- 29th 02:00|03:00 ---------- 30th 02:30
    /// .skip              02:30                                             02:30
    /// .runAfter          02:30                     03:00                   02:30
    /// ```
    public enum SkippedTimes: Sendable, Hashable {
        /// It does not come on that day, as in systemd.
        case skip
        /// It comes when the clocks have changed, as in cron. Several that the same change skips come once, and so does
        /// one that the schedule has at that instant anyway.
        case runAfter
    }
}
