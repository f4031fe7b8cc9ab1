import Glibc

// The Glibc module does not export it. Without it, a child started by another test could inherit the pipe.
@_silgen_name("pipe2")
private func pipe2(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32

/// An open file of the test, closed with its last owner.
final class Descriptor {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Both ends of a pipe that no child inherits by accident.
    static func pipe() throws -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Command.Failure(description: "no pipe, errno \(errno)") }
        return (Descriptor(ends[0]), Descriptor(ends[1]))
    }

    /// Both ends of a pseudo-terminal that passes on every byte unchanged.
    static func terminal() throws -> (master: Descriptor, slave: Descriptor) {
        let master = Descriptor(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC))
        // TIOCGPTN and TIOCSPTLCK, which the Glibc module does not export.
        var number: CUnsignedInt = 0
        var locked: CInt = 0
        guard master.number >= 0, ioctl(master.number, 0x8004_5430, &number) == 0,
            ioctl(master.number, 0x4004_5431, &locked) == 0
        else {
            throw Command.Failure(description: "no terminal, errno \(errno)")
        }
        let slave = Descriptor(open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC))
        var settings = termios()
        guard slave.number >= 0, tcgetattr(slave.number, &settings) == 0 else {
            throw Command.Failure(description: "no terminal's other end, errno \(errno)")
        }
        cfmakeraw(&settings)
        guard tcsetattr(slave.number, TCSANOW, &settings) == 0 else {
            throw Command.Failure(description: "no raw terminal, errno \(errno)")
        }
        return (master, slave)
    }
}
