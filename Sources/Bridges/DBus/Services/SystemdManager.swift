public import Bus

/// systemd, over D-Bus: its units as they come, change and go, and its jobs and their results.
///
/// systemd sends no signals until `Manager.Subscribe` is called. Every signal of this type does so, and again when
/// systemd has come back after a restart. It reads only the contents of signals and lists: reading a property of a
/// unit that is not loaded loads that unit, which is sent as a new one, so that two programs which read the
/// properties of each new unit would keep each other busy for ever.
///
/// ```swift
/// import Bus
/// import DBusBridge
///
/// let systemd = SystemdManager(DBusConnection(.system))
/// let subscription = systemd.unit("nginx.service").activeState
///     .subscribe(next: { print("nginx is \($0)") }, failed: { print($0) })
/// ```
public struct SystemdManager: Sendable {
    static let path = "/org/freedesktop/systemd1"
    static let interface = "org.freedesktop.systemd1.Manager"
    static let unitInterface = "org.freedesktop.systemd1.Unit"

    /// The system bus for the system's manager, the session bus for a user's.
    public let connection: DBusConnection
    /// The name systemd has on the bus.
    public let name: String

    /// The system's manager on the system bus, or a user's on their session bus.
    public init(_ connection: DBusConnection, name: String = "org.freedesktop.systemd1") {
        self.connection = connection
        self.name = name
    }

    /// The units: each loaded one first, and then their changes. Cold.
    ///
    /// ```
    /// systemd   -----new b----b active---b removed---restart---x
    /// units     --a--+b-------b=active---(-b)--------gone--a---x     (a is loaded already)
    /// ```
    ///
    /// - Ends: never.
    /// - Fails: when systemd refuses to list its units; when the bus cannot be reached or is lost.
    /// - Cancelling: takes the rules back.
    /// - Buffers: 4,096 messages of the bus while the observer pauses; further ones are lost, the newest first, and
    ///   counted. 64 more events are on their way to `bus-events`.
    /// - Thread: `bus-events`.
    public var units: some Signal<SystemdUnitEvent, DBusError> {
        let changes = DBusMatch(
            sender: name,
            pathNamespace: Self.path + "/unit",
            interface: DBusNames.properties,
            member: "PropertiesChanged",
            arguments: [0: Self.unitInterface]
        )
        return connection.follow(
            name,
            matches: [signal("UnitNew"), signal("UnitRemoved"), changes],
            preludes: [subscribe],
            request: call("ListUnits"),
            limit: 4096
        )
        .flatMap(.concat) { Signals.from(SystemdUnitEvent.events(in: $0)).promoteFailure(to: DBusError.self) }
        .deliver(on: ThreadScheduler.shared, limit: 64)
    }

    /// The jobs: each that is queued, and then each that begins and ends, with its result. Cold.
    ///
    /// ```
    /// systemd   --start x--x started---
    /// jobs      --queued---done--------
    /// ```
    ///
    /// - Ends: never.
    /// - Fails: when systemd refuses to list its jobs; when the bus cannot be reached or is lost.
    /// - Cancelling: takes the rules back.
    /// - Buffers: as ``units``.
    /// - Thread: `bus-events`.
    public var jobs: some Signal<SystemdJobEvent, DBusError> {
        connection.follow(
            name,
            matches: [signal("JobNew"), signal("JobRemoved")],
            preludes: [subscribe],
            request: call("ListJobs"),
            limit: 4096
        )
        .flatMap(.concat) { Signals.from(SystemdJobEvent.events(in: $0)).promoteFailure(to: DBusError.self) }
        .deliver(on: ThreadScheduler.shared, limit: 64)
    }

    /// One unit, loaded or not.
    public func unit(_ name: String) -> SystemdUnitProxy { SystemdUnitProxy(manager: self, name: name) }

    var subscribe: DBusCall { call("Subscribe") }

    func call(_ member: String, _ arguments: [DBusValue] = []) -> DBusCall {
        DBusCall(to: name, at: Self.path, interface: Self.interface, member: member, arguments: arguments)
    }

    func signal(_ member: String) -> DBusMatch {
        DBusMatch(sender: name, path: Self.path, interface: Self.interface, member: member)
    }
}
