import Glibc
import Zones

/// The clocks that a date is read from.
enum WallClock {
    case utc
    /// Those that are ahead of UTC by so many seconds.
    case offset(Int64)
    /// Those of the local zone; with an abbreviation, as of summer time, only while they are called so.
    case local(abbreviation: String?)
    /// Those of a zone; with an offset from UTC in seconds, those that always have it.
    case zone(TimeZone, offset: Int64?)

    /// The clocks that may be meant by a word behind a date, the likeliest first.
    static func called(_ word: String) -> [WallClock] {
        let local = WallClock.local(abbreviation: word.uppercased())
        // What is not readable is no zone, and the date is refused.
        guard let zone = try? ZoneDatabase.system.zone(named: word) else { return [local] }
        return [local, .zone(zone, offset: zone.offset(calledBy: word))]
    }

    /// What they show, in seconds since 1970.
    func parts(at seconds: Int64) -> tm {
        var parts = tm()
        var time = time_t(seconds)
        switch self {
        case .utc: gmtime_r(&time, &parts)
        case .offset(let offset):
            time += time_t(offset)
            gmtime_r(&time, &parts)
        case .local: localtime_r(&time, &parts)
        case .zone(let zone, let offset):
            time += time_t(offset ?? zone.offset(at: seconds))
            gmtime_r(&time, &parts)
        }
        return parts
    }

    /// When they show that, in seconds since 1970; `nil` if they do not. The fields are put into their ranges.
    func seconds(_ parts: inout tm) -> Int64? {
        switch self {
        case .utc: return Self.seconds(&parts, timegm)
        case .offset(let offset): return Self.seconds(&parts, timegm).map { $0 - offset }
        case .local(nil):
            parts.tm_isdst = -1
            return Self.seconds(&parts, mktime)
        case .local(let name?): return Self.seconds(&parts, calledBy: name)
        case .zone(let zone, let offset):
            return Self.seconds(&parts, timegm).map { local in offset.map { local - $0 } ?? zone.seconds(at: local) }
        }
    }

    private static func seconds(_ parts: inout tm, calledBy name: String) -> Int64? {
        for summer: Int32 in [0, 1] {
            var found = parts
            found.tm_isdst = summer
            guard let time = seconds(&found, mktime), found.tm_isdst == summer,
                String(cString: found.tm_zone).uppercased() == name
            else { continue }
            parts = found
            return time
        }
        return nil
    }

    private static func seconds(_ parts: inout tm, _ convert: (UnsafeMutablePointer<tm>) -> time_t) -> Int64? {
        parts.tm_wday = -1
        let time = convert(&parts)
        // -1 is a time, too; then the weekday was found.
        return parts.tm_wday < 0 ? nil : Int64(time)
    }
}

extension TimeZone {
    private static let day: Int64 = 86_400

    /// When the clocks show that, in seconds since 1970: the second time if they do twice, and as long after the change as it looks if
    /// they skip it.
    fileprivate func seconds(at local: Int64) -> Int64 {
        let times = [-Self.day, Self.day].map { local - offset(at: local + $0) }
        let shown = times.filter { $0 + offset(at: $0) == local }
        return (shown.isEmpty ? times : shown).max() ?? local
    }

    /// What is added to UTC while the clocks are called like the zone, as those of CET in winter; `nil` for other zones.
    fileprivate func offset(calledBy name: String) -> Int64? {
        let year = (0..<12).map { type(at: Self.day * (20_000 + 30 * $0)) }
        return year.first { $0.abbreviation == name }?.offset
    }
}
