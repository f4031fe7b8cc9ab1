/// How long to wait before looking for new entries again.
///
/// journald announces entries up to 250 ms late, on purpose. An entry can be read at once, and a look costs a few
/// microseconds. So a reader looks by itself for a while after each entry, often at first, and then waits to be told.
struct PollSchedule {
    private var idleMilliseconds = 0

    /// Something was found.
    mutating func reset() {
        idleMilliseconds = 0
    }

    /// Nothing was found; how many milliseconds until the next look, or -1 to wait until told. Half of it is what an entry waits
    /// at the median.
    ///
    /// - Parameter isTold: whether changes are announced. Without that, looking goes on, once a second in the end.
    mutating func next(isTold: Bool) -> Int32 {
        let interval =
            switch idleMilliseconds {
            case ..<2_000: 5
            case ..<10_000: 10
            case ..<30_000: 20
            default: isTold ? -1 : 1_000
            }
        if interval > 0 { idleMilliseconds += interval }
        return Int32(interval)
    }
}
