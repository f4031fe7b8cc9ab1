/// How long to wait before looking for new entries again.
///
/// journald tells its readers of new entries some 400 ms late, on purpose. An entry can be read within 2 ms, and
/// looking costs a few microseconds at most; so a reader looks by itself, often at first and less often the longer
/// nothing comes.
struct PollSchedule {
    private var idleMilliseconds = 0

    /// Something was found.
    mutating func reset() {
        idleMilliseconds = 0
    }

    /// Nothing was found; how many milliseconds until the next look. Half of it is what an entry waits at the median.
    mutating func next() -> Int32 {
        let interval =
            switch idleMilliseconds {
            case ..<200: 5
            case ..<2_000: 10
            case ..<60_000: 20
            default: 35
            }
        idleMilliseconds += interval
        return Int32(interval)
    }
}
