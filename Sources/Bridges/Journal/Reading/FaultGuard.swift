import CLinux

/// Has this process be ready for journal files that shrink while they are mapped, as long as there is one.
final class FaultGuard: Sendable {
    init() throws(JournalError) {
        let result = clinux_sigbus_acquire()
        if result != 0 { throw JournalError("guard against journal files that shrink", errno: result) }
    }

    deinit {
        clinux_sigbus_release()
    }

    /// Comes back in front of a handler that another library has installed meanwhile.
    func renew() {
        clinux_sigbus_renew()
    }
}
