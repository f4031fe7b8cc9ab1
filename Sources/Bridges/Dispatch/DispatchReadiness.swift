public import Bus
import CLinux
public import Dispatch
import Glibc
public import SystemPackage

extension Signals {
    /// The readability of a descriptor. The value is how many bytes there are, as far as the system reports it, else
    /// one; zero is the end of a stream. Hot.
    ///
    /// ```
    /// bytes           --3---------2--
    /// read            ----3---------2
    /// dispatchReadable--3---------2--
    /// ```
    ///
    /// It sends again as long as there is something to read, so read in the observer; the end of a stream and an
    /// error of the descriptor count as readable. The descriptor stays the caller's and may be closed at any time: a
    /// duplicate is watched, which keeps a connection open until the subscription has ended. A regular file is always
    /// readable.
    ///
    /// Three faults of Dispatch's own read source are avoided here. It reports a hangup once and nothing after it,
    /// and so loses the unread bytes. When a watched descriptor is closed too early, it may go on watching the next
    /// file with its number. On a hangup it changes its bookkeeping from two threads at once, which ends a process
    /// now and then. So Dispatch is given a descriptor to watch that never hangs up, which costs one more descriptor
    /// for each subscription (see epoll(7), "an epoll descriptor is itself pollable").
    ///
    /// - Ends: never.
    /// - Fails: when the descriptor is not open, or there is none left to watch it with.
    /// - Cancelling: ends the watch and closes the duplicate, on `queue`, in a moment.
    /// - Pausing: suspends the watch until the observer is ready. The kernel holds the bytes that come.
    /// - Thread: on `queue`.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor to watch.
    ///   - queue: the queue to send on.
    public static func dispatchReadable(
        _ descriptor: FileDescriptor,
        on queue: DispatchQueue
    ) -> some Signal<Int, DispatchError> {
        watching(descriptor.rawValue, for: UInt32(CLINUX_READABLE), to: "read", on: queue) { $0.unread }
    }

    /// The writability of a descriptor. It sends again as long as there is free capacity, so end the subscription when there
    /// is nothing to write. The amount is not reported: Linux knows it for hardly any descriptor. See
    /// ``Bus/Signals/dispatchReadable(_:on:)``.
    public static func dispatchWritable(
        _ descriptor: FileDescriptor,
        on queue: DispatchQueue
    ) -> some Signal<Void, DispatchError> {
        watching(descriptor.rawValue, for: UInt32(CLINUX_WRITABLE), to: "write", on: queue) { _ in }
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
                let duplicate = clinux_duplicate(descriptor)
                guard duplicate >= 0 else { throw DispatchError(operation: operation, code: -duplicate) }
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
