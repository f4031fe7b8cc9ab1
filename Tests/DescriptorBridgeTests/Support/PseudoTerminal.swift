import Glibc
import SystemPackage
import TestSupport
import Testing

/// A terminal and its other side, the master. Both block, like those that a program is given.
final class PseudoTerminal: Sendable {
    let master: FileDescriptor
    let terminal: FileDescriptor

    init() throws {
        master = FileDescriptor(rawValue: open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC))
        // TIOCSPTLCK and TIOCGPTN do what unlockpt(3) and ptsname(3) do, which the Glibc module does not export.
        var locked: CInt = 0
        var number: CInt = -1
        try #require(ioctl(master.rawValue, 0x4004_5431, &locked) == 0)
        try #require(ioctl(master.rawValue, 0x8004_5430, &number) == 0)
        terminal = FileDescriptor(rawValue: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC))
        try #require(terminal.rawValue >= 0)
    }

    /// The effect of ^S and ^Q.
    func stop() { tcflow(terminal.rawValue, TCOOFF) }
    func goOn() { tcflow(terminal.rawValue, TCOON) }

    /// Bytes pass unchanged. A read waits for this many bytes, and after the first at most 25 s for the next one.
    func makeRaw(minimum: UInt8 = 1, isPatient: Bool = false) {
        var settings = termios()
        tcgetattr(terminal.rawValue, &settings)
        cfmakeraw(&settings)
        withUnsafeMutableBytes(of: &settings.c_cc) {
            $0[Int(VMIN)] = minimum
            $0[Int(VTIME)] = isPatient ? 255 : 0
        }
        tcsetattr(terminal.rawValue, TCSANOW, &settings)
    }

    /// What is available at one of its descriptors. Does not wait for more.
    static func read(_ descriptor: FileDescriptor) -> [UInt8] {
        var bytes: [UInt8] = []
        while events(of: descriptor, POLLIN) & Int16(POLLIN) != 0 {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(descriptor.rawValue, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    /// How many bytes can be read from the terminal.
    var waiting: Int {
        var count: CInt = -1
        _ = ioctl(terminal.rawValue, UInt(FIONREAD), &count)
        return Int(count)
    }

    /// Whether every descriptor of the terminal is closed.
    var isHungUp: Bool { Self.events(of: master, 0) & Int16(POLLHUP) != 0 }

    func close() throws {
        try terminal.close()
        try master.close()
    }

    private static func events(of descriptor: FileDescriptor, _ asked: CInt) -> Int16 {
        var found = pollfd(fd: descriptor.rawValue, events: Int16(asked), revents: 0)
        return poll(&found, 1, 0) < 0 ? 0 : found.revents
    }
}
