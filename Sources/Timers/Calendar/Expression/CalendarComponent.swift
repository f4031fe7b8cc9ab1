/// One element of a list in a calendar expression: `5`, `5..10`, `5/2` or `5..10/2`. Seconds are in microseconds.
struct CalendarComponent: Sendable {
    var start: Int
    /// The last number of a range; nil for a single number, and for one that is repeated without end.
    var stop: Int?
    /// The step, or zero.
    var step = 0
    /// Where it begins in the text, for error messages.
    var place = 0

    static var microsecondsPerSecond: Int { 1_000_000 }

    private var key: (Int, Int, Int) { (start, stop ?? -1, step) }

    static func precedes(_ a: CalendarComponent, _ b: CalendarComponent) -> Bool { a.key < b.key }

    static func isSame(_ a: CalendarComponent, _ b: CalendarComponent) -> Bool { a.key == b.key }

    /// The same numbers, written in the shortest way.
    var normalized: CalendarComponent {
        var result = self
        guard let stop else { return result }
        if stop > start, step > 0 { result.stop = stop - (stop - start) % step }
        if let stop = result.stop, stop == start || stop > start && step > 0 && start + step > stop {
            result.stop = nil
            result.step = 0
        }
        return result
    }
}

extension [CalendarComponent] {
    /// Sorted, without repetitions.
    var normalized: [CalendarComponent] {
        var result: [CalendarComponent] = []
        for component in map(\.normalized).sorted(by: CalendarComponent.precedes) {
            if let last = result.last, CalendarComponent.isSame(last, component) { continue }
            result.append(component)
        }
        return result
    }
}
