import Glibc

/// A pseudo-terminal that a process writes to. It can be stopped as by ^S.
final class Terminal {
    /// The path that a process opens.
    let path: String
    private let master: Descriptor
    private let slave: Descriptor

    init() throws {
        master = Descriptor(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC))
        // TIOCSPTLCK and TIOCGPTN do what unlockpt(3) and ptsname(3) do, which the Glibc module does not export.
        var locked: CInt = 0
        var number: CInt = -1
        guard ioctl(master.number, 0x4004_5431, &locked) == 0, ioctl(master.number, 0x8004_5430, &number) == 0 else {
            throw Command.Failure(description: "no pseudo-terminal, errno \(errno)")
        }
        path = "/dev/pts/\(number)"
        slave = Descriptor(open(path, O_RDWR | O_NOCTTY | O_CLOEXEC))
        guard slave.number >= 0 else { throw Command.Failure(description: "cannot open \(path), errno \(errno)") }
    }

    func stop() { tcflow(slave.number, TCOOFF) }

    func start() { tcflow(slave.number, TCOON) }

    /// Changes the size, as if somebody dragged the window.
    func resize(columns: Int, lines: Int) {
        var size = winsize(ws_row: UInt16(lines), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master.number, UInt(TIOCSWINSZ), &size)
    }

    /// What has been written to it and was not read before. Does not wait.
    func read() -> String {
        var text: [UInt8] = []
        var polled = pollfd(fd: master.number, events: Int16(POLLIN), revents: 0)
        while poll(&polled, 1, 0) > 0, polled.revents & Int16(POLLIN) != 0 {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(master.number, &buffer, buffer.count)
            guard count > 0 else { break }
            text += buffer.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
