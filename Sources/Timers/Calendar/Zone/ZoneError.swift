import Bus
import Zones

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

    /// The system's error number (`errno`); zero when the file could be read and is no zone file.
    public var code: CInt { fault.code }

    /// A description of what was being done, why it failed and what to do about it.
    public var description: String { fault.description(SystemError.numbered) }
}
