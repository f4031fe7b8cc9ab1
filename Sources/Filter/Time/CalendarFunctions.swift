import Zones

/// `getHours` and similar functions, of a time in some zone, or of a duration.
enum CalendarFunctions {
    private static let zoneCost = 100

    static func call(_ function: Function, _ arguments: UnsafeBufferPointer<Value>, _ state: inout Evaluation)
        -> CallResult
    {
        switch arguments[0] {
        case .duration(let nanoseconds) where arguments.count == 1: return part(function, of: nanoseconds)
        case .timestamp(let time):
            guard arguments.count == 2 else { return .success(.int(part(function, of: time, offset: 0))) }
            guard case .string(let name) = arguments[1] else { return .failure(.noOverload) }
            // A zone that is used for the first time is read from its file.
            guard state.allowance.pay(zoneCost) else { return .failure(.tooCostly) }
            guard let offset = ZoneArgument.offset(name, at: time.seconds) else { return .failure(.unknownZone) }
            return .success(.int(part(function, of: time, offset: offset)))
        default: return .failure(.noOverload)
        }
    }

    /// The whole duration in the unit; for milliseconds, only those beyond the last second.
    private static func part(_ function: Function, of nanoseconds: Int64) -> CallResult {
        let seconds = nanoseconds / 1_000_000_000
        switch function {
        case .getHours: return .success(.int(seconds / 3600))
        case .getMinutes: return .success(.int(seconds / 60))
        case .getSeconds: return .success(.int(seconds))
        case .getMilliseconds: return .success(.int(nanoseconds % 1_000_000_000 / 1_000_000))
        default: return .failure(.noOverload)
        }
    }

    /// - Parameter offset: in seconds east of UTC.
    private static func part(_ function: Function, of time: Timestamp, offset: Int64) -> Int64 {
        let (days, second) = (time.seconds + offset).flooredQuotientAndRemainder(dividingBy: 86_400)
        switch function {
        case .getHours: return second / 3600
        case .getMinutes: return second / 60 % 60
        case .getSeconds: return second % 60
        case .getMilliseconds: return Int64(time.nanoseconds) / 1_000_000
        // 1970 began on a Thursday.
        case .getDayOfWeek: return (days + 4).flooredQuotientAndRemainder(dividingBy: 7).remainder
        default: break
        }
        let date = CivilDate(daysSince1970: days)
        switch function {
        case .getFullYear: return Int64(date.year)
        case .getMonth: return Int64(date.month) - 1
        case .getDate: return Int64(date.day)
        case .getDayOfMonth: return Int64(date.day) - 1
        default: return days - CivilDate.firstDay(ofYear: date.year)
        }
    }
}
