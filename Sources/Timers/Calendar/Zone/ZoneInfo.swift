import Zones

/// A time zone: how far its clocks are from UTC, and when that changes.
///
/// It is read from the system's zone files (TZif) when it is made and never changes after that; where a file ends, the rule
/// in it is followed on. It is a value that any thread may use, which the C library's time functions are not: those know
/// only one zone, the process's.
public struct ZoneInfo: Sendable, Hashable, CustomStringConvertible {
    /// The zone's name, as `Europe/Berlin`; empty for the system's local one, whatever that is called.
    public let name: String

    let zone: TimeZone

    public static let utc = ZoneInfo(name: "UTC", zone: .utc)

    /// The zone of that name in the system's zone files.
    ///
    /// - Parameter name: as `Europe/Berlin`; `UTC` needs no file.
    /// - Throws: ``ZoneError`` when there is none, or when it cannot be read.
    public init(named name: String) throws(ZoneError) {
        do throws(ZoneFault) {
            self.init(name: name, zone: try ZoneDatabase.system.zone(named: name))
        } catch {
            throw ZoneError(error)
        }
    }

    /// The zone that the machine's clocks show now, as the C library finds it: what the environment variable `TZ` says,
    /// else `/etc/localtime`, else UTC. A filter's `"Local"` is found by the same rule.
    ///
    /// What is returned does not follow a later change of either; ask again to see it.
    /// - Throws: ``ZoneError`` when `TZ` names a zone that there is none of, or when the file cannot be read.
    public static func local() throws(ZoneError) -> ZoneInfo {
        do throws(ZoneFault) {
            return ZoneInfo(name: "", zone: try ZoneDatabase.system.local())
        } catch {
            throw ZoneError(error)
        }
    }

    private init(name: String, zone: TimeZone) {
        self.name = name
        self.zone = zone
    }

    public var description: String { name.isEmpty ? "local time" : name }

    /// The names that standard and daylight-saving time have now.
    var abbreviations: (standard: String?, daylightSaving: String?) { zone.abbreviations }
}
