extension CalendarSchedule {
    /// What becomes of a local time that the clocks show twice, as they do in autumn.
    ///
    /// ```
    /// *:0/30 in Berlin, where 03:00 becomes 02:00 on October 25
    /// local time   02:00 --- 02:30 --- 03:00|02:00 --- 02:30 --- 03:00
    /// .first       02:00     02:30                               03:00
    /// .both        02:00     02:30          02:00      02:30     03:00
    /// ```
    public enum RepeatedTimes: Sendable, Hashable {
        /// It comes the first time, as in systemd. A schedule of hours or minutes then pauses for the hour that is
        /// repeated.
        case first
        /// It comes both times.
        case both
    }
}
