/// A local time. Fields may be out of their range during calculations.
struct LocalTime: Equatable {
    enum Unit: Int { case year, month, day, hour, minute, second }
    enum Order { case before, same, after }

    var year = 1970
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    var microsecond = 0
    /// Nil when it is not known yet.
    var isDaylightSaving: Bool?

    /// Sets the fields below the unit to their beginning.
    mutating func reset(below unit: Unit) {
        if unit.rawValue < Unit.month.rawValue { month = 1 }
        if unit.rawValue < Unit.day.rawValue { day = 1 }
        if unit.rawValue < Unit.hour.rawValue { hour = 0 }
        if unit.rawValue < Unit.minute.rawValue { minute = 0 }
        second = 0
        microsecond = 0
    }

    /// Compares this time, which the clocks show, with the requested one. Where they differ, the units below may
    /// differ as well, so the next smaller unit starts anew.
    mutating func settle(against other: LocalTime) -> Order {
        func order(_ a: Int, _ b: Int) -> Order { a < b ? .before : a > b ? .after : .same }
        var result = order(year, other.year)
        if result != .same { month = 1; return result }
        result = order(month, other.month)
        if result != .same { day = 1; return result }
        result = order(day, other.day)
        if result != .same { hour = 0; return result }
        result = order(hour, other.hour)
        if result != .same { minute = 0; return result }
        result = order(minute, other.minute)
        if result != .same { second = 0; return result }
        return order(second, other.second)
    }
}
