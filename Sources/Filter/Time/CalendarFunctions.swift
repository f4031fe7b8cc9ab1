import Zones

/// `getHours` and similar functions, of a time in some zone, or of a duration.
enum CalendarFunctions {
    private static let zoneCost = 100

    enum Part {
        case year, month, dayFrom0, dayFrom1, dayOfWeek, dayOfYear, hours, minutes, seconds, milliseconds
    }

    static func part(_ part: Part, _ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        switch arguments[0] {
        case .duration(let nanoseconds) where arguments.count == 1:
            return self.part(part, of: nanoseconds)
        case .timestamp(let time):
            guard arguments.count == 2 else { return .success(.int(self.part(part, of: time, offset: 0))) }
            guard case .string(let name) = arguments[1] else { return .failure(.noOverload) }
            // A zone that is used for the first time is read from its file.
            guard state.allowance.pay(zoneCost) else { return .failure(.tooCostly) }
            guard let offset = ZoneArgument.offset(name, at: time.seconds) else { return .failure(.unknownZone) }
            return .success(.int(self.part(part, of: time, offset: offset)))
        default: return .failure(.noOverload)
        }
    }

    /// The whole duration in the unit; for milliseconds, only those beyond the last second.
    private static func part(_ part: Part, of nanoseconds: Int64) -> CallResult {
        let seconds = nanoseconds / 1_000_000_000
        switch part {
        case .hours: return .success(.int(seconds / 3600))
        case .minutes: return .success(.int(seconds / 60))
        case .seconds: return .success(.int(seconds))
        case .milliseconds: return .success(.int(nanoseconds % 1_000_000_000 / 1_000_000))
        case .year, .month, .dayFrom0, .dayFrom1, .dayOfWeek, .dayOfYear: return .failure(.noOverload)
        }
    }

    /// - Parameter offset: in seconds east of UTC.
    private static func part(_ part: Part, of time: Timestamp, offset: Int64) -> Int64 {
        let (days, second) = (time.seconds + offset).flooredQuotientAndRemainder(dividingBy: 86_400)
        switch part {
        case .hours: return second / 3600
        case .minutes: return second / 60 % 60
        case .seconds: return second % 60
        case .milliseconds: return Int64(time.nanoseconds) / 1_000_000
        // 1970 began on a Thursday.
        case .dayOfWeek: return (days + 4).flooredQuotientAndRemainder(dividingBy: 7).remainder
        case .year: return Int64(CivilDate(daysSince1970: days).year)
        case .month: return Int64(CivilDate(daysSince1970: days).month) - 1
        case .dayFrom1: return Int64(CivilDate(daysSince1970: days).day)
        case .dayFrom0: return Int64(CivilDate(daysSince1970: days).day) - 1
        case .dayOfYear: return days - CivilDate.firstDay(ofYear: CivilDate(daysSince1970: days).year)
        }
    }
}
