import Bus
import Glibc
import Loop
public import SystemPackage

/// What distinguishes this machine and program from others.
enum MachineIdentity {
    private static let path = "/etc/machine-id"

    /// The machine's identity.
    static func id() throws(JitterError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SmallFileError) {
            bytes = try SmallFile(path: path, maxLength: 4096).read()
        } catch {
            let code: Errno =
                switch error.reason {
                case .system(let code): Errno(rawValue: code)
                case .notRegular: .invalidArgument
                case .tooLong: .fileTooLarge
                }
            throw JitterError(path: path, errno: code)
        }
        guard let bytes else { throw JitterError(path: path, errno: .noSuchFileOrDirectory) }
        return bytes
    }

    /// The same everywhere and for ever for the same arguments.
    static func key(_ name: String, machine: [UInt8]) -> UInt64 {
        // The generator behind it spreads the bits.
        FNV1a.hash(machine + [0] + name.utf8)
    }

    /// Differs from machine to machine and from program to program.
    static func key(of schedule: CalendarSchedule) -> UInt64 {
        let program = CommandLine.arguments.first?.split(separator: "/").last ?? ""
        return key("\(program)\0\(schedule)", machine: idOrHostName)
    }

    private static var idOrHostName: [UInt8] {
        do throws(JitterError) {
            return try id()
        } catch {
            var name = [CChar](repeating: 0, count: 256)
            // A name that is too long is cut off, which does no harm.
            _ = gethostname(&name, name.count - 1)
            return name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        }
    }
}

/// The machine's identity, from which its jitter is derived, could not be read.
public struct JitterError: Error, Equatable, CustomStringConvertible {
    /// The file from which the machine's identity is read.
    public let path: String
    /// Why it could not be read.
    public let errno: Errno

    public var description: String {
        "cannot choose this machine's delay: cannot read \(path): \(SystemError.numbered(errno.rawValue)); "
            + "make one with systemd-machine-id-setup, or use a random delay"
    }
}
