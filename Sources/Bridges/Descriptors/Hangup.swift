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
    /// A descriptor that cannot hang up, such as a regular file's, is silent for good; so is one that is not open.
    /// The descriptor stays the caller's, who closes it after the subscription has ended. It is not read from or
    /// written to. Sends on `scheduler`.
    public static func hangup(
        of descriptor: FileDescriptor,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<Void, Never> {
        create(of: Void.self) { emitter in
            // A copy, because the loop watches a descriptor once; without one the descriptor itself, as long as nobody else does.
            let copy = try? OwnedDescriptor.duplicate(of: descriptor.rawValue)
            do throws(EventLoopError) {
                let watch = try EventLoop.shared.watch(copy?.number ?? descriptor.rawValue, for: []) { events in
                    if events.contains(.hangup) { emitter.send(()) }
                }
                return ActionDisposable { watch.cancel { copy?.close() } }
            } catch {
                // A file that cannot be watched cannot hang up.
                return nil
            }
        }
        .take(first: 1)
        .deliver(on: scheduler, limit: 1, overflow: .dropNewest)
    }
}
