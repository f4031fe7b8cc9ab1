/// How long to wait before polling for new entries again.
///
/// journald announces entries up to 250 ms late, on purpose. An entry can be read at once, and a poll costs a few
/// microseconds. So a reader polls for three seconds after each entry, often at first, and then waits for
/// the announcement.
struct PollSchedule {
    private var idleMilliseconds: Int32 = 0

    /// Something was found.
    mutating func reset() {
        idleMilliseconds = 0
    }

    /// Nothing was found; returns how many milliseconds to wait until the next poll, or -1 to wait for the
    /// announcement. The median wait of an entry is half of it: 2.5 ms where entries come often, and a hundredth of
    /// the time since the last one otherwise.
    ///
    /// - Parameter isNotified: whether changes are announced. Otherwise polling goes on, once a second in the end.
    mutating func next(isNotified: Bool) -> Int32 {
        guard idleMilliseconds < 3_000 else { return isNotified ? -1 : 1_000 }
        let interval = max(5, idleMilliseconds / 50)
        idleMilliseconds += interval
        return interval
    }
}
