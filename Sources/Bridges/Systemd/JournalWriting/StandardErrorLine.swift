import CLinux
import Glibc

/// Where is written what nothing else takes.
package enum StandardErrorLine {
    /// Writes as much of a line as there is room for. It does not wait: under systemd, standard error is the very journald
    /// that takes nothing.
    package static func write(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        var kind = clinux_descriptor_kind(STDERR_FILENO)
        guard kind >= 0 else { return }
        // There is nobody left to tell of a failure.
        _ = clinux_write_now(STDERR_FILENO, &kind, bytes, bytes.count)
    }
}
