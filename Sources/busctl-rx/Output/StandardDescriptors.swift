import Glibc

/// Descriptors 0, 1 and 2.
enum StandardDescriptors {
    /// Puts something in the place of those that were closed when the process started, or the next file to be opened
    /// would become standard input or output. What is there can only be used the wrong way round, so that reading
    /// from a closed input and writing to a closed output still fail.
    static func openMissing() {
        for (descriptor, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)] {
            guard fcntl(descriptor, F_GETFD) < 0 else { continue }
            // The lowest free number is taken, which is this one. If /dev/null is missing, nothing better can be done.
            _ = open("/dev/null", access)
        }
    }

    /// Whether someone looks at what is written, on a terminal that obeys control characters.
    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether both what is shown and what is told go to one.
    static var areTerminals: Bool { isOutputTerminal && isatty(STDERR_FILENO) == 1 }

    /// How many columns the terminal has that output goes to.
    static var outputWidth: Int? { windowSize.map { Int($0.ws_col) }.flatMap { $0 > 0 ? $0 : nil } }

    /// How many lines it has.
    static var outputHeight: Int? { windowSize.map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } }

    private static var windowSize: winsize? {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    static var isOutputClosed: Bool { fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE == O_RDONLY }
}
