import Glibc

/// Descriptors 0, 1 and 2.
enum StandardDescriptors {
    /// Opens descriptors that were closed when the process started. Otherwise the next file to be opened would become
    /// standard input or output. They are opened in the wrong direction, so that reading from a closed input and
    /// writing to a closed output still fail.
    static func openMissing() {
        for (descriptor, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)] {
            guard fcntl(descriptor, F_GETFD) < 0 else { continue }
            // The lowest free number is taken, which is this one. If /dev/null is missing, nothing better can be done.
            _ = open("/dev/null", access)
        }
    }

    /// Whether a person sees the output, on a terminal that obeys control characters.
    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether both output and messages go to a terminal.
    static var areTerminals: Bool { isOutputTerminal && isatty(STDERR_FILENO) == 1 }

    /// How many columns the output's terminal has.
    static var outputWidth: Int? { windowSize.map { Int($0.ws_col) }.flatMap { $0 > 0 ? $0 : nil } }

    /// How many lines it has.
    static var outputHeight: Int? { windowSize.map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } }

    private static var windowSize: winsize? {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    static var isOutputClosed: Bool { fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE == O_RDONLY }
}
