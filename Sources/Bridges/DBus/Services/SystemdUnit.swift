public import Bus

/// A unit as systemd lists it. The states are systemd's words, as `systemctl` shows them.
public struct SystemdUnit: Sendable, Hashable {
    /// The whole name with its type: `nginx.service`.
    public let name: String
    /// The unit's `Description=`; its name where it has none.
    public let description: String
    /// `loaded`, `not-found`, `masked`, …
    public let loadState: String
    /// `active`, `inactive`, `failed`, `activating`, `deactivating`, …
    public let activeState: String
    /// The state in the words of the unit's type: `running`, `exited`, `dead`, `mounted`, …
    public let subState: String

    /// For tests: a unit to compare with those of ``SystemdManager/units``.
    public init(name: String, description: String, loadState: String, activeState: String, subState: String) {
        self.name = name
        self.description = description
        self.loadState = loadState
        self.activeState = activeState
        self.subState = subState
    }
}

/// A change of systemd's units.
public enum SystemdUnitEvent: Sendable, Hashable {
    /// It is loaded, and was so before.
    case loaded(SystemdUnit)
    /// It was loaded; the states follow.
    case added(String)
    /// A state has changed; nil for a state that has not.
    case changed(String, activeState: String?, subState: String?)
    /// It was unloaded, which systemd does with units that nothing needs.
    case removed(String)
    /// systemd's name has no owner. When it has come back, all loaded units are sent again.
    case managerGone
}

extension SystemdUnitEvent {
    static func events(in followed: DBusFollowed) -> [SystemdUnitEvent] {
        switch followed {
        case .absent: [.managerGone]
        case .answer(let answer): (answer.message.arguments.first?.elements ?? []).compactMap(loaded)
        case .signal(let signal): event(in: signal.message).map { [$0] } ?? []
        }
    }

    /// A row of `ListUnits`: name, description, load state, active state, sub state, and five others.
    private static func loaded(_ row: DBusValue) -> SystemdUnitEvent? {
        guard let texts = row.elements?.prefix(5).map(\.text), texts.count == 5 else { return nil }
        return .loaded(
            SystemdUnit(
                name: texts[0] ?? "",
                description: texts[1] ?? "",
                loadState: texts[2] ?? "",
                activeState: texts[3] ?? "",
                subState: texts[4] ?? ""
            )
        )
    }

    private static func event(in signal: DBusMessage) -> SystemdUnitEvent? {
        switch signal.member {
        case "UnitNew": return signal.text.map { .added($0) }
        case "UnitRemoved": return signal.text.map { .removed($0) }
        default:
            guard let path = signal.path, let name = DBusLabel.unit(ofPath: path), signal.arguments.count > 1 else {
                return nil
            }
            let active = signal.arguments[1]["ActiveState"]?.text
            let sub = signal.arguments[1]["SubState"]?.text
            return active == nil && sub == nil ? nil : .changed(name, activeState: active, subState: sub)
        }
    }
}

/// A unit of systemd.
public struct SystemdUnitProxy: Sendable {
    let manager: SystemdManager
    /// The whole name with its type: `nginx.service`. The unit need not exist.
    public let name: String

    /// The unit's active state now and each different one: `active`, `inactive`, `failed`, `activating`, … Cold. A
    /// unit that is not loaded is loaded for the query. See
    /// ``DBusProxy/property(_:of:as:fetchesInvalidated:on:limit:)``.
    public var activeState: some Signal<String, DBusError> { property("ActiveState", as: String.self) }

    /// The state in the words of the unit's type, such as `running` or `exited`. Cold. See ``activeState``.
    public var subState: some Signal<String, DBusError> { property("SubState", as: String.self) }

    /// A property of the unit now and each different value. Cold. See ``DBusProxy/property(_:of:as:fetchesInvalidated:on:limit:)``.
    ///
    /// - Parameters:
    ///   - name: the property's name.
    ///   - interface: `org.freedesktop.systemd1.Unit`, or that of the unit's type such as `org.freedesktop.systemd1.Service`.
    ///   - type: the type that the values are decoded as.
    public func property<Value: Decodable & Sendable>(
        _ name: String,
        of interface: String = "org.freedesktop.systemd1.Unit",
        as type: Value.Type
    ) -> some Signal<Value, DBusError> {
        proxy.property(name, of: interface, as: type, prelude: manager.subscribe)
    }

    /// Starts the unit, and waits until systemd is done with it.
    ///
    /// - Parameter timeout: how long to wait for the job's end; nil for ever.
    /// - Throws: ``DBusError`` when systemd refuses or is restarted, when the job fails (``DBusError/Reason/jobEnded(result:)``), when
    ///   the bus is lost, or when the time is over; `CancellationError` when the task is cancelled. A job that systemd has accepted goes
    ///   on.
    public func start(timeout: Duration? = nil) async throws { try await job("StartUnit", timeout) }

    /// Stops the unit. Waits, fails and is cancelled as ``start(timeout:)``.
    public func stop(timeout: Duration? = nil) async throws { try await job("StopUnit", timeout) }

    /// Restarts the unit, or starts it. Waits, fails and is cancelled as ``start(timeout:)``.
    public func restart(timeout: Duration? = nil) async throws { try await job("RestartUnit", timeout) }

    /// Asks the unit to read its configuration again. Waits, fails and is cancelled as ``start(timeout:)``.
    public func reload(timeout: Duration? = nil) async throws { try await job("ReloadUnit", timeout) }

    private var proxy: DBusProxy {
        manager.connection.proxy(for: manager.name, at: SystemdManager.path + "/unit/" + DBusLabel.escaped(name))
    }

    private func job(_ member: String, _ timeout: Duration?) async throws {
        let call = manager.call(member, [.string(name), "replace"])
        let result = try await SystemdJobWait(manager, call, timeout).result()
        // `skipped`: a condition of the unit says that there is nothing to do. For systemctl that is a success, too.
        guard result == "done" || result == "skipped" else {
            throw DBusError(.jobEnded(result: result), call.operation)
        }
    }
}
