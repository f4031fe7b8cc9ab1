public import Bus
public import Dispatch
import Glibc

extension Signals {
    /// That a descriptor can be read: how many bytes there are, as far as Dispatch knows, which for a pipe may be none.
    /// Hot.
    ///
    /// ```
    /// bytes           --3---------2--
    /// read            ----3---------2
    /// dispatchReadable--3---------2--
    /// ```
    ///
    /// It speaks again as long as there is something to read, so read in the observer; the end of a stream and an error
    /// of the descriptor count as readable. The descriptor stays the caller's and may be closed at
    /// any time: what is watched is a duplicate, which keeps a connection open until the subscription has ended.
    /// (Dispatch itself, when a watched descriptor is closed too early, may go on watching in its place what has its
    /// number next, or watch nothing. And it tells of a hangup once, of nothing after it, and so loses what was left unread
    /// and the end; here one look at the descriptor after each event, some 300 ns, sees to that.) A regular file is always
    /// readable.
    ///
    /// - Ends: never.
    /// - Fails: when the descriptor is not open, or there is none left for the duplicate.
    /// - Cancelling: ends the watch and closes the duplicate, on `queue`, in a moment.
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
        readiness(of: descriptor, to: "read", POLLIN, on: queue) {
            DispatchSource.makeReadSource(fileDescriptor: $0, queue: queue)
        }
    }

    /// That a descriptor can be written to: how many bytes there is room for, as far as the system says, else one. It
    /// speaks again as long as there is room, so end the subscription when there is nothing to write. See
    /// ``Bus/Signals/dispatchReadable(_:on:)``.
    public static func dispatchWritable(
        _ descriptor: CInt,
        on queue: DispatchQueue
    ) -> some Signal<Int, DispatchError> {
        readiness(of: descriptor, to: "write", POLLOUT, on: queue) {
            DispatchSource.makeWriteSource(fileDescriptor: $0, queue: queue)
        }
    }

    private static func readiness(
        of descriptor: CInt,
        to purpose: String,
        _ events: Int32,
        on queue: DispatchQueue,
        _ make: @escaping @Sendable (CInt) -> any DispatchSourceProtocol
    ) -> some Signal<Int, DispatchError> {
        create(of: Int.self, failure: DispatchError.self) { emitter in
            do throws(DispatchError) {
                try DispatchResources.check()
                guard emitter.demand == .more else { return nil }
                let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
                guard duplicate >= 0 else {
                    throw .system(operation: "watch descriptor \(descriptor) to \(purpose)", code: errno)
                }
                let watch = HangupWatch(duplicate, for: events, on: queue) { emitter.next($0) }
                return SourceRun(make(duplicate), cancelled: { watch.close() }) { bytes in
                    DispatchResources.served()
                    watch.ready(bytes)
                }
                .disposable
            } catch {
                emitter.failed(error)
                return nil
            }
        }
        .described(as: "descriptor(\(descriptor))")
    }
}
