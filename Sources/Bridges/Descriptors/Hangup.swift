public import Bus
import Loop
public import SystemPackage

extension Signals {
    /// One value and completion when the other end of a pipe, socket or terminal is gone. Hot.
    ///
    /// ```
    /// other end ----close
    /// hangup    ----()|
    /// ```
    ///
    /// A TCP peer is gone when the connection has ended in both directions, or was reset: that it sends no more does not say
    /// that it reads no more.
    ///
    /// The signal stays silent for a descriptor that cannot hang up, such as a regular file's. It fails with
    /// ``DescriptorError`` if the descriptor is not open, or if the system has no room for another one to watch. The
    /// descriptor stays the caller's, who closes it after the subscription has ended. It is not read from or written
    /// to. Sends on `scheduler`.
    public static func hangup(
        of descriptor: FileDescriptor,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<Void, DescriptorError> {
        create(of: Void.self, failure: DescriptorError.self) { emitter in
            // A copy, because the loop watches a descriptor once; without one the descriptor itself, as long as nobody else does.
            let copy = try? OwnedDescriptor.duplicate(of: descriptor.rawValue)
            do throws(EventLoopError) {
                let watch = try EventLoop.shared.watch(copy?.number ?? descriptor.rawValue, for: []) { events in
                    if events.contains(.hangup) { emitter.send(()) }
                }
                return ActionDisposable { watch.cancel { copy?.close() } }
            } catch {
                // Regular files and directories are not watched, and do not hang up.
                if error.code != Errno.notPermitted.rawValue { emitter.fail(DescriptorError(error)) }
                return nil
            }
        }
        .take(first: 1)
        .deliver(on: scheduler, limit: 1, overflow: .dropNewest)
    }
}
