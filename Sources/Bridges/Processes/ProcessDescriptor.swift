import CLinux
import DescriptorBridge
import Glibc
import Loop

/// A pidfd: one process, even if its number is reused.
final class ProcessDescriptor: Sendable {
    let pid: pid_t
    private let descriptor: OwnedDescriptor

    init(_ pid: pid_t) throws(ProcessError) {
        let number = clinux_pidfd_open(pid)
        guard number >= 0 else { throw ProcessError("watch process \(pid)", code: -number) }
        self.pid = pid
        descriptor = OwnedDescriptor(number)
    }

    func close() { descriptor.close() }

    /// Calls `exited` on the event loop's thread when the process has ended, once.
    func watch(_ exited: @escaping @Sendable () -> Void) throws(ProcessError) -> EventLoop.Watch {
        do throws(EventLoopError) {
            return try EventLoop.shared.watch(descriptor.number, for: [.readable, .once]) { _ in exited() }
        } catch {
            throw ProcessError("watch process \(pid)", code: error.code)
        }
    }

    /// How it ended, if it is a child whose status nobody has taken; the status is not taken.
    func look() -> ProcessStatus? {
        var found = clinux_exit()
        return clinux_pidfd_wait(descriptor.number, 1, &found) == 1 ? ProcessStatus(found) : nil
    }

    /// How an ended child ended; takes its status. Nil while the kernel tells it to a tracer alone, who has not taken it yet.
    func reap() throws(ProcessError) -> ProcessStatus? {
        var found = clinux_exit()
        let result = clinux_pidfd_wait(descriptor.number, 0, &found)
        guard result >= 0 else { throw ProcessError("learn how process \(pid) ended", code: -result) }
        return result == 1 ? ProcessStatus(found) : nil
    }

    /// - Returns: zero, or the error.
    func send(_ signal: CInt) -> CInt { -clinux_pidfd_signal(descriptor.number, signal) }
}

extension ProcessStatus {
    fileprivate init(_ exit: clinux_exit) {
        self =
            exit.code == CInt(CLD_EXITED)
            ? .exited(code: exit.status)
            : .signaled(signal: exit.status, dumpedCore: exit.code == CInt(CLD_DUMPED))
    }
}
