import CLinux
import Glibc

/// Wakes the thread that waits for a screen's events.
package final class Waker: Sendable {
    let descriptor: CInt

    package init() throws(ScreenFailure) {
        descriptor = clinux_eventfd_create()
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(-descriptor))
            throw ScreenFailure(description: "cannot wait for events of the terminal: \(reason)")
        }
    }

    deinit { close(descriptor) }

    /// Ends the present wait for events, or else the next one. May be called from any thread.
    package func wake() { clinux_eventfd_signal(descriptor) }

    /// Whether it was woken since this was last asked.
    func clear() -> Bool {
        var count: UInt64 = 0
        return read(descriptor, &count, MemoryLayout.size(ofValue: count)) > 0
    }
}
