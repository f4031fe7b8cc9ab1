import Glibc
public import SystemPackage

/// The service manager that started this process, and the notifications to it: sd_notify(3).
///
/// ```swift
/// import SystemdBridge
///
/// let manager = ServiceManager()
/// try manager.notify(.ready, .status("serving"))
/// ```
///
/// A program run by hand has no manager. That is no error: ``notify(_:)`` returns false, and the program need not
/// care.
///
/// - Threads: any number may use it.
/// - Descriptors: one socket, from the first notification until this is released; so a process that has no descriptor
///   left can still send.
/// - Waiting: a notification that finds the manager's queue full waits for capacity, blocking the thread that sends it,
///   for `patience` at most, and then fails; later ones fail at once, until one gets through. (libsystemd's
///   `sd_notify` waits without limit.)
public final class ServiceManager: Sendable {
    /// How often the manager wants a sign of life (`WatchdogSec=`); nil when it wants none.
    public let watchdogInterval: Duration?
    private let socket: DatagramSocket?
    private let patience: Duration

    /// The manager in the environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`.
    ///
    /// - Parameters:
    ///   - removingFromEnvironment: whether to remove those variables, so that children do not take themselves for
    ///     the service. Only while no other thread reads the environment: first thing in `main`.
    ///   - patience: how long a notification may wait for capacity.
    public convenience init(removingFromEnvironment: Bool = false, patience: Duration = .milliseconds(500)) {
        let environment = Environment.process
        self.init(
            socket: environment("NOTIFY_SOCKET"),
            watchdogInterval: Self.watchdogInterval(in: environment),
            patience: patience
        )
        if removingFromEnvironment { Environment.remove("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID") }
    }

    /// A manager that is notified at a socket of your own.
    ///
    /// - Parameters:
    ///   - socket: a path, `@` and an abstract name, or nil for none.
    ///   - watchdogInterval: how often the manager wants to hear that the process lives.
    ///   - patience: how long a notification may wait for capacity.
    public init(socket: String?, watchdogInterval: Duration? = nil, patience: Duration = .milliseconds(500)) {
        self.socket = socket.map { DatagramSocket(name: $0, takesFiles: false) }
        self.watchdogInterval = watchdogInterval
        self.patience = patience
    }

    /// Whether there is a manager to notify.
    public var isSupervised: Bool { socket != nil }

    /// Tells the manager all of this at once.
    ///
    /// - Returns: whether it was sent; false when there is no manager. Only ``barrier(within:)`` tells whether the
    ///   manager has taken it.
    /// - Throws: ``NotifyError`` when a state breaks a rule of its format, and when the socket, which it names, is missing,
    ///   full or not to be written to.
    @discardableResult
    public func notify(_ states: ServiceState...) throws(NotifyError) -> Bool {
        try send(states, patience: patience)
    }

    /// Hands open descriptors to the manager, which gives them back to the process it starts next in place of this one:
    /// ``SocketActivation``. The unit must allow it with `FileDescriptorStoreMax=`.
    ///
    /// - Parameters:
    ///   - descriptors: the descriptors; they stay the caller's, who may close them afterwards.
    ///   - name: their name when they come back: at most 255 printable ASCII characters, no colon.
    ///   - isPolled: whether the manager removes a descriptor that hangs up or has an error. (`FDPOLL=0` when not.)
    /// - Returns: whether they were sent; false when there is no manager.
    /// - Throws: ``NotifyError``, as ``notify(_:)``; ``NotifyError/invalid(what:reason:)`` for another name. Of more than 253
    ///   descriptors, some may have been handed over then.
    @discardableResult
    public func store(_ descriptors: [FileDescriptor], name: String, isPolled: Bool = true) throws(NotifyError) -> Bool
    {
        let text = "FDSTORE=1\nFDNAME=\(try Self.checked(name))\n" + (isPolled ? "" : "FDPOLL=0\n")
        var isSent = isSupervised
        // The kernel takes so many at once.
        for start in stride(from: 0, to: descriptors.count, by: 253) {
            let some = descriptors[start..<min(start + 253, descriptors.count)].map(\.rawValue)
            isSent = try send(text, some, patience: patience)
        }
        return isSent
    }

    /// Lets the manager forget the descriptors it keeps under a name.
    ///
    /// - Returns: whether it was sent; false when there is no manager.
    /// - Throws: ``NotifyError``, as ``store(_:name:isPolled:)``.
    @discardableResult
    public func removeStored(_ name: String) throws(NotifyError) -> Bool {
        try send("FDSTOREREMOVE=1\nFDNAME=\(Self.checked(name))\n", patience: patience)
    }

    // MARK: Sending

    /// The longest message that systemd reads: its `NOTIFY_BUFFER_MAX`, which is `PIPE_BUF`.
    private static let maxLength = 4096

    func send(_ states: [ServiceState], patience: Duration) throws(NotifyError) -> Bool {
        var text = ""
        for state in states { text += try state.text() }
        return try send(text, patience: patience)
    }

    func send(_ text: String, _ descriptors: [CInt] = [], patience: Duration) throws(NotifyError) -> Bool {
        guard let socket else { return false }
        guard let first = socket.name.utf8.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else {
            throw .unsupportedAddress(socket.name)
        }
        let length = text.utf8.count
        guard length <= Self.maxLength else {
            throw .invalid(
                what: "to notify with \(length) bytes",
                reason: "systemd drops a message of more than \(Self.maxLength)"
            )
        }
        do throws(DatagramSocket.Failure) {
            try socket.send(Parts(Array(text.utf8)), descriptors: descriptors, patience: patience)
        } catch {
            throw NotifyError(error, socket.name)
        }
        return true
    }

    var socketName: String { socket?.name ?? "" }

    private static func checked(_ name: String) throws(NotifyError) -> String {
        guard DescriptorName.isValid(name) else {
            throw .invalid(
                what: "to keep descriptors as \"\(name)\"",
                reason: "a name has 1 to 255 printable ASCII characters and no colon"
            )
        }
        return name
    }

    private static func watchdogInterval(in environment: Environment) -> Duration? {
        guard let text = environment("WATCHDOG_USEC"), let microseconds = Int64(text), microseconds > 0 else {
            return nil
        }
        // Meant for another process, which gave it to this one with the rest of its environment.
        if let pid = environment("WATCHDOG_PID"), pid_t(pid) != getpid() { return nil }
        return .microseconds(microseconds)
    }
}
