public import Bus
import CLinux
public import Dispatch
import Glibc

extension Signals {
    /// That a descriptor can be read: how many bytes there are, as far as the system says, else one; none is the end of a
    /// stream. Hot.
    ///
    /// ```
    /// bytes           --3---------2--
    /// read            ----3---------2
    /// dispatchReadable--3---------2--
    /// ```
    ///
    /// It speaks again as long as there is something to read, so read in the observer; the end of a stream and an error
    /// of the descriptor count as readable. The descriptor stays the caller's and may be closed at any time: what is
    /// watched is a duplicate, which keeps a connection open until the subscription has ended. A regular file is always
    /// readable.
    ///
    /// Three things of Dispatch's own read source are not so here. It tells of a hangup once and of nothing after it, and
    /// so loses what was left unread; when a watched descriptor is closed too early, it may go on watching what has its
    /// number next; and on a hangup it works on its bookkeeping from two threads at once, which ends a process now and
    /// then. So what Dispatch is given to watch is a descriptor that never hangs up, which costs one more of them a
    /// subscription (see epoll(7), "an epoll descriptor is itself pollable").
    ///
    /// - Ends: never.
    /// - Fails: when the descriptor is not open, or there is none left to watch it with.
    /// - Cancelling: ends the watch and closes the duplicate, on `queue`, in a moment.
    /// - Pausing: suspends the watch until the observer is ready. The kernel holds what comes.
    /// - Buffers: nothing.
    /// - Thread: on `queue`.
    ///
    /// - Parameters:
    ///   - descriptor: what to watch.
    ///   - queue: where to speak.
    public static func dispatchReadable(
        _ descriptor: CInt,
        on queue: DispatchQueue
    ) -> some Signal<Int, DispatchError> {
        watching(descriptor, for: UInt32(CLINUX_READABLE), to: "read", on: queue) { $0.unread }
    }

    /// That a descriptor can be written to. It speaks again as long as there is room, so end the subscription when there
    /// is nothing to write. How much room there is, is not said: Linux knows it of hardly any descriptor. See
    /// ``Bus/Signals/dispatchReadable(_:on:)``.
    public static func dispatchWritable(
        _ descriptor: CInt,
        on queue: DispatchQueue
    ) -> some Signal<Void, DispatchError> {
        watching(descriptor, for: UInt32(CLINUX_WRITABLE), to: "write", on: queue) { _ in }
    }

    private static func watching<Value: Sendable>(
        _ descriptor: CInt,
        for events: UInt32,
        to purpose: String,
        on queue: DispatchQueue,
        saying value: @escaping @Sendable (WatchedDescriptor) -> Value
    ) -> some Signal<Value, DispatchError> {
        create(of: Value.self, failure: DispatchError.self) { emitter in
            do throws(DispatchError) {
                try DispatchResources.check()
                guard emitter.demand != .stop else { return nil }
                let operation = "watch descriptor \(descriptor) to \(purpose)"
                let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
                guard duplicate >= 0 else { throw .system(operation: operation, code: errno) }
                let watched = try WatchedDescriptor(owning: duplicate, for: events, to: operation)
                return watched.run(on: queue) { emitter.send(value(watched), from: $0) }
            } catch {
                emitter.fail(error)
                return nil
            }
        }
        .named("descriptor(\(descriptor))")
    }
}
