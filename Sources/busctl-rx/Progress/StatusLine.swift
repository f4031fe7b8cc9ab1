import Bus
import Glibc
import Timers

/// A line on the terminal of standard error that is removed before anything else is written.
///
/// It is shown where no other output can be mixed with it. Either standard output is the terminal, too, and
/// everything written there removes the line first; or standard output is a file. A program that reads a pipe may
/// write to the same terminal.
enum StatusLine {
    private struct State {
        var isShown = false
        /// How many threads are writing to the terminal.
        var writers = 0
        /// When something else was written last.
        var quietSince = TimerScheduler.shared.now
        var isClosed = false
    }

    private static let state = Lock(State())

    /// How long nothing else must have been written before.
    private static let patience = Duration.seconds(1)

    static let isPossible: Bool = {
        guard isatty(STDERR_FILENO) == 1, let name = getenv("TERM").map({ String(cString: $0) }),
            name != "dumb", !name.isEmpty
        else { return false }
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFCHR
    }()

    /// Shows a text in place of the previous one, unless other output is being written. Does not wait for a terminal
    /// that was stopped.
    static func show(_ text: String) {
        guard isPossible else { return }
        state.withLock { state in
            guard !state.isClosed, state.writers == 0, TimerScheduler.shared.now - state.quietSince >= patience,
                isInForeground, let columns, text.utf8.count < columns
            else { return }
            state.isShown = put("\r\(text)\u{1B}[K") || state.isShown
        }
    }

    /// Removes the line.
    static func hide() {
        guard isPossible else { return }
        state.withLock { remove(&$0) }
    }

    /// Removes the line, and shows none again.
    static func close() {
        guard isPossible else { return }
        state.withLock { state in
            remove(&state)
            state.isClosed = true
        }
    }

    /// Does something that writes to the terminal, with the line removed.
    static func givingWay(_ work: () -> Void) {
        guard isPossible else { return work() }
        state.withLock { state in
            remove(&state)
            state.writers += 1
        }
        work()
        state.withLock { state in
            state.writers -= 1
            state.quietSince = TimerScheduler.shared.now
        }
    }

    private static func remove(_ state: inout State) {
        guard state.isShown else { return }
        state.isShown = false
        _ = put("\r\u{1B}[K")
    }

    /// Nothing is written to a terminal in the hands of another job: that would stop this one.
    private static var isInForeground: Bool {
        let group = tcgetpgrp(STDERR_FILENO)
        return group < 0 || group == getpgrp()
    }

    private static var columns: Int? {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        // A terminal that does not know its width.
        return size.ws_col == 0 ? 80 : Int(size.ws_col)
    }

    private static func put(_ text: String) -> Bool {
        var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&polled, 1, 0) == 1, polled.revents & Int16(POLLOUT) != 0 else { return false }
        let bytes = Array(text.utf8)
        return write(STDERR_FILENO, bytes, bytes.count) > 0
    }
}
