import Zones

/// Converts between the local time of a zone and time, as the C library's `mktime` and `localtime` do.
struct LocalCalendar {
    private let zone: TimeZone
    /// The offset from UTC that was last found. For a time that the clocks show twice, it selects the occurrence with
    /// this offset.
    private var lastOffset: Int64?

    init(zone: ZoneInfo) {
        self.zone = zone.zone
    }

    /// - Parameter seconds: since 1970.
    mutating func localTime(at seconds: Int64) -> LocalTime {
        let type = zone.type(at: seconds)
        lastOffset = lastOffset ?? type.offset
        let local = seconds + type.offset
        let (days, second) = local.flooredQuotientAndRemainder(dividingBy: 86400)
        let rest = Int(second)
        let date = CivilDate(daysSince1970: days)
        return LocalTime(
            year: date.year,
            month: date.month,
            day: date.day,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
            isDaylightSaving: type.isDaylightSaving
        )
    }

    /// The time with its fields in their ranges, as the clocks show it.
    mutating func normalized(_ time: LocalTime, _ isDaylightSaving: Bool?) -> LocalTime {
        var result = localTime(at: seconds(time, isDaylightSaving))
        result.microsecond = time.microsecond
        return result
    }

    /// The seconds since 1970 at which the clocks show a time.
    ///
    /// A time that the clocks never show, because they are set forward past it, counts as the same span after the
    /// change.
    /// - Parameter isDaylightSaving: the required state. When it does not hold at that time, the offset is taken from
    ///   the nearest time at which it does.
    mutating func seconds(_ time: LocalTime, _ isDaylightSaving: Bool?) -> Int64 {
        let days = CivilDate(year: time.year, month: time.month, day: time.day).daysSince1970
        let local = days * 86400 + Int64(time.hour) * 3600 + Int64(time.minute) * 60 + Int64(time.second)
        var type = converge(to: local)
        if let isDaylightSaving, isDaylightSaving != zone.type(at: local - type.offset).isDaylightSaving,
            let other = nearest(to: local - type.offset, isDaylightSaving)
        {
            type = other
        }
        lastOffset = type.offset
        return local - type.offset
    }

    /// Guesses an offset and checks which offset holds at the resulting time, until the two are the same.
    private func converge(to local: Int64) -> TimeZone.LocalTimeType {
        var type = zone.type(at: local - (lastOffset ?? zone.offset(at: local)))
        for _ in 0..<6 {
            let next = zone.type(at: local - type.offset)
            if next.offset == type.offset { return next }
            // It alternates between two offsets: the clocks skip this time. The lesser offset, from before the
            // change, leads past it.
            if zone.offset(at: local - next.offset) == type.offset {
                return next.offset < type.offset ? next : type
            }
            type = next
        }
        return type
    }

    private func nearest(to seconds: Int64, _ isDaylightSaving: Bool) -> TimeZone.LocalTimeType? {
        // A stride of a week, shorter than any such period, to 17 years away on both sides.
        for distance in stride(from: Int64(601_200), through: 536_454_000, by: 601_200) {
            for candidate in [seconds - distance, seconds + distance] {
                let type = zone.type(at: candidate)
                if type.isDaylightSaving == isDaylightSaving { return type }
            }
        }
        return nil
    }
}
