public import Bus
import Glibc
import Loop
import Timers
public import SystemPackage

/// A window into a running program: a Unix socket through which others watch the events that are posted on a bus.
///
/// It is made by `serve(at:options:)` of a bus, and served until it is disposed of. Dropping it does not end it. It holds the bus.
public final class Tap: Disposable {
    /// The path of its socket; nil for a socket that was passed on to the process.
    public let path: String?

    private let socket: ListeningSocket
    let server: TapServer
    private let isOver = Lock(false)

    init(_ bus: NotificationBus, _ socket: ListeningSocket, path: String?, _ options: TapOptions) throws(TapError) {
        self.path = path
        self.socket = socket
        do throws(TapError) {
            server = try TapServer(bus, socket.descriptor, options)
        } catch {
            if path != nil {
                socket.removeFile()
                _ = close(socket.descriptor)
            }
            throw error
        }
        server.start()
    }

    /// Removes the socket's file and cuts off all clients. Watches are notified that they end, if their sockets take it.
    public func dispose() {
        if begin() { server.scheduler.schedule { [server] in server.stop() } }
    }

    /// Removes the socket's file, and cuts off all clients when each watch has ended and its client's socket has taken the events. The
    /// bus must be closed, which ends the watches.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for clients that do not read. The events that their sockets have not taken then are dropped.
    ///   - done: called afterwards, on the tap's thread; at once if the tap was disposed of.
    package func end(within patience: Duration, then done: @escaping @Sendable () -> Void) {
        guard begin() else { return done() }
        server.scheduler.schedule { [server] in server.end(within: patience, then: done) }
    }

    /// Begins the end, unless it has begun.
    private func begin() -> Bool {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { socket.removeFile() }
        return isFirst
    }

    public var isDisposed: Bool { isOver.withLock { $0 } }
}

extension NotificationBus {
    /// Lets others look in, through a Unix socket at a path. See <doc:TapBridge>.
    ///
    /// ```swift
    /// import Bus
    /// import TapBridge
    ///
    /// let bus = NotificationBus()
    /// let tap = try bus.serve(at: "/run/user/1000/example.tap")
    /// ```
    ///
    /// A socket on which nobody listens any more is replaced.
    ///
    /// - Parameters:
    ///   - path: where to listen. At most 107 bytes.
    ///   - options: the permitted clients, and the limits for each.
    /// - Returns: the handle that ends it. Dropping the handle does not.
    /// - Throws: ``TapError``, when there is another file at the path, when somebody listens there, or when the
    ///   system refuses.
    public func serve(at path: String, options: TapOptions = TapOptions()) throws(TapError) -> Tap {
        try Tap(self, ListeningSocket(path: path, mode: options.fileMode), path: path, options)
    }

    /// Lets others look in, where `busctl-rx sources` and `busctl-rx inspect NAME` find it; see ``TapPath/named(_:)``.
    ///
    /// - Parameters:
    ///   - name: the tap's name: letters, digits, `-`, `_` and dots.
    ///   - options: the permitted clients, and the limits for each.
    /// - Returns: the handle that ends it. Dropping the handle does not.
    /// - Throws: ``TapError``, as ``TapPath/named(_:)`` and ``Bus/NotificationBus/serve(at:options:)``.
    public func serve(named name: String, options: TapOptions = TapOptions()) throws(TapError) -> Tap {
        try serve(at: TapPath.named(name), options: options)
    }

    /// Lets others look in, through a socket that listens already, such as the descriptor of a `.socket` unit; see `SocketActivation` in SystemdBridge.
    ///
    /// - Parameters:
    ///   - descriptor: a Unix stream socket that listens. It is the tap's from now on, which closes it at its end. Its file stays.
    ///   - options: the permitted clients, and the limits for each. ``TapOptions/mode`` has no effect.
    /// - Throws: ``TapError`` when it is not such a socket, or when the system refuses. The descriptor is the caller's then.
    public func serve(listeningOn descriptor: FileDescriptor, options: TapOptions = TapOptions()) throws(TapError)
        -> Tap
    {
        try Tap(self, ListeningSocket(listening: descriptor.rawValue), path: nil, options)
    }
}
