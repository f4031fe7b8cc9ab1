import Glibc
import Zones

/// The clocks that a date is read from.
enum WallClock {
    case utc
    /// Clocks that are ahead of UTC by so many seconds.
    case offset(Int64)
    /// The clocks of the local zone; with an abbreviation, such as that of summer time, only while it applies.
    case local(abbreviation: String?)
    /// The clocks of a zone; with an offset from UTC in seconds, clocks that always have this offset.
    case zone(TimeZone, offset: Int64?)

    /// The clocks that a word behind a date may mean, the likeliest first.
    static func called(_ word: String) -> [WallClock] {
        let local = WallClock.local(abbreviation: word.uppercased())
        // An unreadable zone is no zone, and the date is refused.
        guard let zone = try? ZoneDatabase.system.zone(named: word) else { return [local] }
        return [local, .zone(zone, offset: zone.offset(calledBy: word))]
    }

    /// The local time at a time in seconds since 1970.
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

    /// When the clocks show `local`, in seconds since 1970: the second time if they show it twice. If they skip it,
    /// the time before the change goes on: 02:30 is then half an hour after the change at 02:00.
    fileprivate func seconds(at local: Int64) -> Int64 {
        let times = [-Self.day, Self.day].map { local - offset(at: local + $0) }
        let shown = times.filter { $0 + offset(at: $0) == local }
        return (shown.isEmpty ? times : shown).max() ?? local
    }

    /// The offset from UTC while the zone's own name is the abbreviation in use, as for CET in winter; `nil` for
    /// other zones.
    fileprivate func offset(calledBy name: String) -> Int64? {
        let year = (0..<12).map { type(at: Self.day * (20_000 + 30 * $0)) }
        return year.first { $0.abbreviation == name }?.offset
    }
}
