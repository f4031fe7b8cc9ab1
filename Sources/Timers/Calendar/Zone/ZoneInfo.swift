import Bus
package import Zones
public import SystemPackage

/// A time zone: how far its clocks are from UTC, and when that changes.
///
/// It is read from the system's zone files (TZif) when it is made and never changes after that. Where a file ends,
/// the rule in it applies from there on. It is a value that any thread may use. The C library's time functions, in
/// contrast, know only one zone, the process's.
public struct ZoneInfo: Sendable, Hashable, CustomStringConvertible {
    /// The zone's name, as `Europe/Berlin`; empty for the system's local one, whatever that is called.
    public let name: String

    let zone: TimeZone

    /// UTC, whose clocks never change.
    public static let utc = ZoneInfo(name: "UTC", zone: .utc)

    /// The zone of that name in the system's zone files.
    ///
    /// - Parameter name: a name such as `Europe/Berlin`; `UTC` needs no file.
    /// - Throws: ``ZoneError`` when there is none, or when it cannot be read.
    public init(named name: String) throws(ZoneError) {
        try self.init(named: name, in: .system)
    }

    /// The zone of that name in other zone files than the system's.
    package init(named name: String, in database: ZoneDatabase) throws(ZoneError) {
        do throws(ZoneFault) {
            self.init(name: name, zone: try database.zone(named: name))
        } catch {
            throw ZoneError(error)
        }
    }

    /// The zone of the machine's clocks, as the C library finds it: the environment variable `TZ`, else
    /// `/etc/localtime`, else UTC. A filter's `"Local"` is found by the same rule.
    ///
    /// The result does not follow a later change of either; call again to see the change.
    /// - Throws: ``ZoneError`` when `TZ` names a zone that does not exist, or when the file cannot be read.
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

    /// The present names of standard and daylight-saving time.
    var abbreviations: (standard: String?, daylightSaving: String?) { zone.abbreviations }
}

/// A time zone could not be read.
public struct ZoneError: Error, Equatable, CustomStringConvertible {
    private let fault: ZoneFault

    init(_ fault: ZoneFault) {
        self.fault = fault
    }

    /// The zone's name; empty for the local one.
    public var zone: String { fault.zone }

    /// The file that was read; nil when the name cannot be that of a file.
    public var path: String? { fault.path }

    /// Why it could not be read; nil when the file could be read and is no zone file.
    public var errno: Errno? { fault.code == 0 ? nil : Errno(rawValue: fault.code) }

    /// A description of what was being done, why it failed and what to do about it.
    public var description: String { fault.description(SystemError.numbered) }
}
