/// The switches of a `flatMap(.latest)` that wait in line while its observer pauses and its source goes on all the
/// same.
///
/// As many wait as the line holds values, each in its place among them. Of the switches that come then and have no
/// place, only the newest counts: the last switch in line becomes the newest, and the signals in between are not
/// heard.
struct LatestSwitches: Sendable {
    private let most = 1024
    private var waiting = 0
    /// The last one that has a place.
    private var last: UInt64 = 0
    private var newest: UInt64 = 0
    /// The newest has no place, and its signal has ended already.
    private var newestHasEnded = false

    /// Whether to put it in line.
    mutating func wait(_ serial: UInt64) -> Bool {
        newest = serial
        newestHasEnded = false
        guard waiting < most else { return false }
        waiting += 1
        last = serial
        return true
    }

    /// Takes a switch at its turn. Returns which signal is the latest now, and whether its end was kept here.
    mutating func take(_ serial: UInt64) -> (latest: UInt64, hasEnded: Bool) {
        waiting -= 1
        guard waiting == 0, newest > last else { return (serial, false) }
        last = newest
        return (newest, newestHasEnded)
    }

    /// Whether the end of a signal is kept here, because it has no place in line.
    mutating func end(_ serial: UInt64) -> Bool {
        guard serial > last, serial <= newest else { return false }
        if serial == newest { newestHasEnded = true }
        return true
    }
}
