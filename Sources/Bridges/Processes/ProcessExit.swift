public import Bus
public import Glibc
import Loop

/// The end of a process.
public struct ProcessExit: Sendable, Hashable {
    /// The number that the process had. Once its parent has waited for it, another process may get it.
    public let pid: pid_t
    /// How it ended; nil for a process that is no child of this one, or whose status was already taken: the kernel
    /// tells only its parent, and once.
    public let status: ProcessStatus?

    /// For tests: an exit to compare with that of `Signals.exit(of:on:)`.
    public init(pid: pid_t, status: ProcessStatus?) {
        self.pid = pid
        self.status = status
    }
}

extension Signals {
    /// One value and completion when a process has ended: a child or any other. Cold.
    ///
    /// ```
    /// process ------exit(3)
    /// exit    ------3|
    /// ```
    ///
    /// By pidfd, so that a process that gets the same number later is never taken for this one. The status is read
    /// and not taken: the code that started a child still has to wait for it. `SIGCHLD` is not touched.
    ///
    /// - Ends: with the exit.
    /// - Fails: when there is no such process or it is not a process's first thread, and when the system has no
    ///   descriptor left.
    /// - Cancelling: stops watching; the process goes on.
    /// - Buffers: the one value.
    /// - Thread: `scheduler`'s.
    public static func exit(
        of pid: pid_t,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<ProcessExit, ProcessError> {
        create(of: ProcessExit.self, failure: ProcessError.self) { emitter in
            do throws(ProcessError) {
                let process = try ProcessDescriptor(pid)
                let watch = try process.watch {
                    emitter.send(ProcessExit(pid: pid, status: process.look()))
                    emitter.complete()
                }
                // Not while the loop looks at it: its number could be another's.
                return ActionDisposable { watch.cancel { process.close() } }
            } catch {
                emitter.fail(error)
                return nil
            }
        }
        .deliver(on: scheduler, limit: 1, overflow: .dropNewest)
        .named("exit(of: \(pid))")
    }
}
