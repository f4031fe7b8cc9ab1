extension CalendarExpression {
    /// The mistake in the numbers of the normal form; nil when there is none.
    var complaint: (reason: String, place: Int)? {
        let lists: [(name: String, list: [CalendarComponent], range: ClosedRange<Int>, fromEnd: Bool)] = [
            ("year", years, 1970...2199, false),
            ("month", months, 1...12, false),
            ("day", days, 1...31, countsFromEndOfMonth),
            ("hour", hours, 0...23, false),
            ("minute", minutes, 0...59, false),
            ("second", microseconds, 0...60 * CalendarComponent.microsecondsPerSecond - 1, false),
        ]
        for (name, list, range, fromEnd) in lists {
            // The last day but thirty does not exist in every month.
            let range = fromEnd ? range.lowerBound...range.upperBound - 3 : range
            for component in list {
                if let reason = Self.complaint(of: component, name, range, fromEnd) { return (reason, component.place) }
            }
        }
        return nil
    }

    private static func complaint(
        of component: CalendarComponent,
        _ name: String,
        _ range: ClosedRange<Int>,
        _ fromEnd: Bool
    ) -> String? {
        let unit = name == "second" ? CalendarComponent.microsecondsPerSecond : 1
        let bounds = "\(range.lowerBound / unit) to \(range.upperBound / unit)"
        let outside =
            "the \(name) is not in the range of \(bounds)" + (fromEnd ? " when counted from the month's end" : "")
        guard range.contains(component.start) else { return outside }
        let tooLong = "the step is too long: the \(name) would never be repeated"
        guard component.step <= range.upperBound - range.lowerBound else { return tooLong }
        if let stop = component.stop {
            guard range.contains(stop) else { return outside }
            guard component.start + component.step <= stop else {
                return stop < component.start ? "the range ends before it begins" : tooLong
            }
        } else if fromEnd {
            guard component.start - component.step >= range.lowerBound else { return tooLong }
        } else {
            guard component.start + component.step <= range.upperBound else { return tooLong }
        }
        return nil
    }
}
