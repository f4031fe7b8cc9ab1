/// An upper bound for how long the values in a line have waited, from one clock reading for each pause.
///
/// Values are numbered as they enter the line. At a pause it notes the time and the number of the next value: that value and
/// all later ones entered after that time. Once all values before it have left, the time bounds the age of the rest.
struct WaitingTimes: Sendable {
    /// No waiting value entered earlier.
    private var earliest: Int64 = 0
    /// The values from `mark.next` on entered at `mark.time` or later.
    private var mark = (time: Int64(0), next: 0)

    /// - Parameters:
    ///   - now: the time of the pause.
    ///   - left: how many values have left the line.
    ///   - entered: how many values have entered it.
    mutating func pause(at now: Int64, left: Int, entered: Int) {
        guard left >= mark.next else { return }
        earliest = left == entered ? now : mark.time
        mark = (now, entered)
    }

    /// The time since which all waiting values have entered.
    func bound(left: Int) -> Int64 { left >= mark.next ? mark.time : earliest }
}
