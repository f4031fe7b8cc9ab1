extension CalendarExpression: CustomStringConvertible {
    /// The normal form; two where a day fits by either its weekday or its number.
    var normalForms: [String] {
        guard matchesEitherDay else { return [description] }
        var (byWeekday, byNumber) = (self, self)
        byWeekday.days = []
        byNumber.weekdays = nil
        return [byWeekday.description, byNumber.description]
    }

    /// The normal form, as `systemd-analyze calendar` prints it.
    var description: String {
        var text = weekdays.map { Self.text(weekdays: $0) + " " } ?? ""
        text += Self.text(years, digits: 4) + "-" + Self.text(months, digits: 2)
        text += (countsFromEndOfMonth ? "~" : "-") + Self.text(days, digits: 2)
        text += " " + Self.text(hours, digits: 2) + ":" + Self.text(minutes, digits: 2)
        text += ":" + Self.text(microseconds, digits: 2, unit: CalendarComponent.microsecondsPerSecond)
        return text
    }

    static let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    private static func text(weekdays: UInt8) -> String {
        var parts: [String] = []
        var day = 0
        while day < 7 {
            let first = day
            while day < 7, weekdays & 1 << day != 0 { day += 1 }
            switch day - first {
            case 0: day += 1
            case 1: parts.append(weekdayNames[first])
            case 2: parts += [weekdayNames[first], weekdayNames[first + 1]]
            default: parts.append("\(weekdayNames[first])..\(weekdayNames[day - 1])")
            }
        }
        return parts.joined(separator: ",")
    }

    private static func text(_ components: [CalendarComponent], digits: Int, unit: Int = 1) -> String {
        let coversAll = unit > 1 && components.contains { $0.start == 0 && $0.stop == nil && $0.step == unit }
        guard !components.isEmpty, !coversAll else { return "*" }
        return components.map { component in
            var text = number(component.start, digits, unit)
            if let stop = component.stop, stop > 0 { text += ".." + number(stop, digits, unit) }
            if component.step > 0, component.stop == nil || component.step != unit {
                text += "/" + number(component.step, 1, unit)
            }
            return text
        }.joined(separator: ",")
    }

    private static func number(_ value: Int, _ digits: Int, _ unit: Int) -> String {
        func padded(_ value: Int, _ digits: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let fraction = value % unit
        return padded(value / unit, digits) + (fraction > 0 ? "." + padded(fraction, 6) : "")
    }
}
