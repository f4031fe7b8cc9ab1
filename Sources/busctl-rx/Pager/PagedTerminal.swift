import Bus
import DescriptorBridge
import Glibc

/// The terminal that standard output and standard error lead to, while a pager has its place.
final class PagedTerminal: Sendable {
    private struct State {
        var isReplaced = false
        /// The pager has ended: further messages go to the terminal.
        var keepsErrors = false
    }

    private let output: OwnedDescriptor
    private let errors: OwnedDescriptor
    private let settings: termios?
    private let state = Lock(State())

    init() throws(DescriptorError) {
        output = try OwnedDescriptor.duplicate(of: STDOUT_FILENO)
        errors = try OwnedDescriptor.duplicate(of: STDERR_FILENO)
        var settings = termios()
        self.settings = tcgetattr(output.number, &settings) == 0 ? settings : nil
    }

    /// From here on, both lead to that descriptor. If the system has no descriptor left, nothing changes.
    func replace(by descriptor: CInt) {
        state.withLock { state in
            state.isReplaced = true
            _ = dup2(descriptor, STDOUT_FILENO)
            if !state.keepsErrors { _ = dup2(descriptor, STDERR_FILENO) }
        }
    }

    /// From here on, standard error leads to the terminal. Standard output does not: output that the pager left
    /// unread is not wanted.
    func restoreErrors() {
        state.withLock { state in
            state.keepsErrors = true
            if state.isReplaced { _ = dup2(errors.number, STDERR_FILENO) }
        }
    }

    /// From here on, both lead to the terminal.
    func restore() {
        restoreErrors()
        _ = dup2(output.number, STDOUT_FILENO)
    }

    /// Gives the terminal the settings that it had, which a pager that was killed may have changed.
    func restoreSettings() {
        let group = tcgetpgrp(output.number)
        // In the background this would stop the process.
        guard var settings, group < 0 || group == getpgrp() else { return }
        _ = tcsetattr(output.number, TCSADRAIN, &settings)
    }
}
