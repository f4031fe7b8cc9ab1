import Bus
import Glibc

/// How long after a calendar's times its ticks come, so that a thousand machines with the same calendar do not all do
/// the same thing in the same second.
///
/// A delay is an offset of the schedule: it depends on the calendar's time and not on when the program was started, so
/// a restart neither repeats a tick nor loses one.
public struct SpreadDelay: Sendable, Hashable {
    fileprivate enum Choice: Sendable, Hashable {
        case none
        case random(limit: Int64, seed: UInt64?)
        case fixed(Int64)
    }

    private let choice: Choice

    /// No delay.
    public static let none = SpreadDelay(choice: .none)

    /// A delay between zero and `limit`, a different one for each of the calendar's times, like systemd's
    /// `RandomizedDelaySec=`. It is always shorter than the time to the next of the calendar's times, so that ticks
    /// keep their order.
    ///
    /// Without a seed, the delays are derived from the machine (`/etc/machine-id`, else the host's name), the
    /// program's file name, the calendar and its time. They differ between machines and are the same after a restart.
    /// Signals of one program with the same calendar and limit get the same delays unless they have different seeds.
    ///
    /// - Parameters:
    ///   - limit: the longest delay; zero or less is none.
    ///   - seed: the delays are derived from it and the calendar's time alone, so they are the same on each machine.
    public static func random(upTo limit: Duration, seed: UInt64? = nil) -> SpreadDelay {
        SpreadDelay(choice: .random(limit: max(0, limit.saturatedNanoseconds), seed: seed))
    }

    /// A delay between zero and `limit` that is always the same on this machine for this name, and different on
    /// another machine: systemd's `RandomizedOffsetSec=`. The time between two ticks is then that of the calendar.
    ///
    /// - Parameters:
    ///   - limit: the longest delay; zero or less is none.
    ///   - name: the purpose, for example the daemon's and the job's name; each name gets a delay of its own.
    /// - Throws: ``SpreadDelayError`` when the machine has no identity, `/etc/machine-id`.
    public static func perMachine(upTo limit: Duration, name: String) throws(SpreadDelayError) -> SpreadDelay {
        let machine: [UInt8]
        do throws(FileError) {
            machine = try FileError.contents(of: identity, limit: 4096)
        } catch {
            throw SpreadDelayError(path: identity, code: error.code)
        }
        return fixed(upTo: limit, machine: machine, name: name)
    }

    package static func fixed(upTo limit: Duration, machine: [UInt8], name: String) -> SpreadDelay {
        var random = SeededRandom(seed: key(name, machine: machine))
        return fixed(.nanoseconds(Int64.random(in: 0...max(0, limit.saturatedNanoseconds), using: &random)))
    }

    static func fixed(_ delay: Duration) -> SpreadDelay {
        SpreadDelay(choice: .fixed(delay.saturatedNanoseconds))
    }

    func offset(for schedule: CalendarSchedule) -> CalendarOffset {
        switch choice {
        case .none: .fixed(0, schedule)
        case .fixed(let delay): .fixed(delay, schedule)
        case .random(let limit, let seed): .random(limit: limit, key: seed ?? Self.key(of: schedule), schedule)
        }
    }

    private static func key(of schedule: CalendarSchedule) -> UInt64 {
        key("\(program)\0\(schedule)", machine: machine)
    }

    private static let identity = "/etc/machine-id"

    /// The same everywhere and for ever for the same arguments.
    private static func key(_ name: String, machine: [UInt8]) -> UInt64 {
        // FNV-1a; the generator behind it spreads the bits.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in machine + [0] + name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// Differs from machine to machine: the identity, or where there is none, the host's name.
    private static var machine: [UInt8] {
        do throws(FileError) {
            return try FileError.contents(of: identity, limit: 4096)
        } catch {
            var name = [CChar](repeating: 0, count: 256)
            // A name that is too long is cut off, which does no harm.
            _ = gethostname(&name, name.count - 1)
            return name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        }
    }

    /// The file name of the running program.
    private static var program: Substring {
        CommandLine.arguments.first?.split(separator: "/").last ?? ""
    }
}

/// The machine's identity, from which its delay is derived, could not be read.
public struct SpreadDelayError: Error, Equatable, CustomStringConvertible {
    public let path: String
    /// The system's error number (`errno`).
    public let code: CInt

    public var description: String {
        "cannot choose this machine's delay: cannot read \(path): \(SystemError.numbered(code)); "
            + "make one with systemd-machine-id-setup, or use a random delay"
    }
}

/// A file of the system could not be read.
private struct FileError: Error {
    let code: CInt

    /// The bytes of a plain file, of which there may be at most `limit`.
    static func contents(of path: String, limit: Int) throws(FileError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError(code: errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(code: errno)
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > limit { throw FileError(code: EFBIG) }
        }
    }
}
