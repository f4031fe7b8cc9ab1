public import Bus
import CLinux
public import Dispatch
import Glibc

extension Signals {
    /// One value, the process's number, and completion when a process has ended. Cold.
    ///
    /// ```
    /// process             ------ends
    /// dispatchProcessExit ------(pid)|
    /// ```
    ///
    /// Dispatch's own process source does not exist on Linux; this one watches a pidfd, and so any process, not only
    /// children. It reaps nothing: a child stays for `waitpid` to collect. ProcessBridge starts children and reports
    /// how they ended.
    ///
    /// - Ends: after the value. A process that has ended and was not reaped yet is heard at once.
    /// - Fails: when there is no such process, or no descriptor left.
    /// - Cancelling: ends the watch; the descriptor is closed on `queue` in a moment.
    /// - Thread: on `queue`.
    ///
    /// - Parameters:
    ///   - pid: which process.
    ///   - queue: the queue to send on.
    public static func dispatchProcessExit(
        of pid: CInt,
        on queue: DispatchQueue
    ) -> some Signal<CInt, DispatchError> {
        create(of: CInt.self, failure: DispatchError.self) { emitter in
            do throws(DispatchError) {
                try DispatchResources.check()
                guard emitter.demand != .stop else { return nil }
                let descriptor = clinux_pidfd_open(pid)
                guard descriptor >= 0 else { throw DispatchError(operation: "watch process \(pid)", code: -descriptor) }
                let watched = try WatchedDescriptor(
                    owning: descriptor,
                    for: UInt32(CLINUX_READABLE),
                    to: "watch process \(pid)"
                )
                return watched.run(on: queue) { _ in
                    emitter.send(pid)
                    emitter.complete()
                }
            } catch {
                emitter.fail(error)
                return nil
            }
        }
        .named("process(\(pid))")
    }

    /// Not available on Linux: Dispatch has no source for it there.
    @available(*, unavailable, message: "Dispatch has no memory pressure source on Linux; see /proc/pressure/memory")
    public static func dispatchMemoryPressure(on queue: DispatchQueue) -> some Signal<Void, Never> {
        never(Void.self)
    }
}
