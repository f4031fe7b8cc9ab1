import Bus
import CLinux
import Glibc
import Synchronization

/// Writes messages that have no other destination.
package enum StandardErrorLine {
    /// For a terminal that can only be written by a call that may block. It blocks no other thread.
    private static let thread = ThreadScheduler(name: "bus-stderr")
    private static let isBusy = Atomic<Bool>(false)

    /// Writes as much of a line as there is capacity for. It does not wait: under systemd, standard error is the very journald
    /// that takes nothing. A stopped terminal takes nothing either.
    package static func write(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        var kind = clinux_descriptor_kind(STDERR_FILENO)
        guard kind >= 0 else { return }
        // A failure cannot be reported anywhere.
        let result = clinux_write_now(STDERR_FILENO, &kind, bytes, bytes.count)
        if result == Int(-EOPNOTSUPP) { writeAnew(bytes) }
    }

    private static func writeAnew(_ bytes: [UInt8]) {
        let copy = clinux_duplicate(STDERR_FILENO)
        guard copy >= 0 else { return }
        if clinux_reopen_nonblocking(copy) == 0 {
            write(bytes, andClose: copy)
        } else if isBusy.exchange(true, ordering: .acquiring) {
            // The line before is not written yet.
            close(copy)
        } else {
            thread.schedule {
                write(bytes, andClose: copy)
                isBusy.store(false, ordering: .releasing)
            }
        }
    }

    private static func write(_ bytes: [UInt8], andClose descriptor: CInt) {
        // As it is: it does not wait, or may.
        var kind = CInt(CLINUX_FILE.rawValue)
        _ = clinux_write_now(descriptor, &kind, bytes, bytes.count)
        close(descriptor)
    }
}
