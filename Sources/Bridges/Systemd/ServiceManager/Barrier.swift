import CLinux
import Glibc
import SystemPackage

extension ServiceManager {
    /// Waits until the manager has taken everything that was sent before. (`BARRIER=1`)
    ///
    /// A short-lived process calls it before it ends, so that its last messages are attributed to it. Blocks the
    /// thread; not for use inside a task.
    ///
    /// - Parameter time: how long to wait.
    /// - Returns: false when there is no manager.
    /// - Throws: ``NotifyError/unanswered(socket:after:)`` when the time has passed, and the errors of
    ///   ``notify(_:)``.
    @discardableResult
    public func barrier(within time: Duration = .seconds(5)) throws(NotifyError) -> Bool {
        guard isSupervised else { return false }
        let end = ContinuousClock.now + time
        var (ours, theirs): (CInt, CInt) = (-1, -1)
        let code = clinux_pipe(&ours, &theirs)
        guard code >= 0 else {
            throw .system(operation: "open a pipe for a barrier to", socket: socketName, errno: Errno(rawValue: -code))
        }
        defer { close(ours) }
        do {
            // The manager closes its copy of the end when it handles it; ours must be closed by then.
            defer { close(theirs) }
            _ = try send("BARRIER=1", [theirs], patience: time)
        }
        guard Self.isHungUp(ours, until: end) else { throw .unanswered(socket: socketName, after: time) }
        return true
    }

    private static func isHungUp(_ descriptor: CInt, until end: ContinuousClock.Instant) -> Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: end)
            let ready = poll(&entry, 1, CInt(clamping: left.microseconds / 1000))
            if ready > 0 { return true }
            if left <= .zero { return false }
        }
    }
}
