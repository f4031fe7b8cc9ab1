import CLinux
import Dispatch
import Glibc

/// A descriptor of our own that Dispatch watches through another one, which never hangs up.
///
/// When a descriptor hangs up, Dispatch's manager thread goes through the sources that watch it, while the thread of each
/// source may already be taking it down, without a lock between them. An epoll descriptor with the watched one in it is
/// readable for as long as that one is ready, for whatever reason, and nothing else.
struct WatchedDescriptor: Sendable {
    private let descriptor: CInt
    private let gate: CInt

    /// - Parameters:
    ///   - descriptor: the descriptor to watch; closed when the watch has ended, or cannot begin.
    ///   - events: the events to watch for, in CLinux's words; a hangup and an error are always reported.
    ///   - operation: the purpose, in the words of an error.
    init(owning descriptor: CInt, for events: UInt32, to operation: String) throws(DispatchError) {
        let epoll = clinux_epoll_create()
        var failure = min(epoll, 0)
        var gate = epoll
        if epoll >= 0 {
            failure = clinux_epoll_add(epoll, descriptor, events, 0)
            if failure == -EPERM {
                // A file that epoll refuses, above all a regular one, is always ready: so is a counter that is not
                // zero.
                close(epoll)
                gate = clinux_eventfd_create()
                failure = gate >= 0 ? clinux_eventfd_signal(gate) : gate
            }
        }
        guard failure >= 0 else {
            if gate >= 0 { close(gate) }
            close(descriptor)
            throw DispatchError(operation: operation, code: -failure)
        }
        self.descriptor = descriptor
        self.gate = gate
    }

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - queue: the queue to send on. The descriptors are closed there when the watch has been cancelled.
    ///   - ready: called again and again while the descriptor is ready.
    func run(on queue: DispatchQueue, _ ready: @escaping @Sendable (SourceRun) -> Void) -> SourceRun {
        let source = DispatchSource.makeReadSource(fileDescriptor: gate, queue: queue)
        let closing: @Sendable () -> Void = {
            close(gate)
            close(descriptor)
        }
        return SourceRun(source, cancelled: closing) { run, _ in
            DispatchResources.served()
            ready(run)
        }
    }

    /// How many bytes there are to read; one where the system does not report it.
    var unread: Int {
        var count: CInt = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 1
    }
}
