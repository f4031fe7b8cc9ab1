public import Bus

/// An object of another process: its bus, its owner's name and its path.
///
/// ```swift
/// import Bus
/// import DBusBridge
///
/// let systemd = DBusConnection(.system).proxy(for: "org.freedesktop.systemd1", at: "/org/freedesktop/systemd1")
/// let state = systemd.property("SystemState", of: "org.freedesktop.systemd1.Manager", as: String.self)
/// let subscription = state.subscribe(next: { print($0) }, failed: { print($0) })
/// ```
///
/// It is a value; making one sends nothing.
public struct DBusProxy: Sendable {
    /// The connection to the object's bus. The proxy keeps it alive.
    public let connection: DBusConnection
    /// A well-known name, which is followed when it changes hands, or a unique one.
    public let destination: String
    /// The object's path, such as `/org/freedesktop/systemd1`.
    public let path: String

    /// Calls a method and waits in the task for the answer. See ``DBusConnection/call(_:)``.
    ///
    /// - Throws: ``DBusError``; `CancellationError` when the task is cancelled. The call may be carried out all the same.
    public func call(
        interface: String,
        member: String,
        arguments: [DBusValue] = [],
        timeout: Duration? = .seconds(25)
    ) async throws -> DBusMessage {
        try await connection.call(
            DBusCall(
                to: destination,
                at: path,
                interface: interface,
                member: member,
                arguments: arguments,
                timeout: timeout
            )
        )
    }

    /// Sets a property.
    ///
    /// - Throws: ``DBusError``; `CancellationError` when the task is cancelled. The property may be set all the same.
    public func set(_ property: String, of interface: String, to value: DBusValue) async throws {
        let arguments: [DBusValue] = [.string(interface), .string(property), .variant(value)]
        _ = try await call(interface: DBusNames.properties, member: "Set", arguments: arguments)
    }

    /// A property's value now and then each different one. Cold. See ``property(_:of:as:fetchesInvalidated:on:limit:)``, which
    /// decodes them.
    public func property<S: Scheduler>(
        _ name: String,
        of interface: String,
        fetchesInvalidated: Bool = true,
        on scheduler: S = ThreadScheduler.shared,
        limit: Int = 64
    ) -> some Signal<DBusValue, DBusError> {
        watch(interface, name, fetchesInvalidated, scheduler, limit).compactMap { $0[name] }.removeDuplicates()
    }

    /// A property's value now and then each different one, as a Swift type. Cold.
    ///
    /// ```
    /// property    1-----1---2----(another owner)-3---x
    /// property()  --1-------2----------------------3-x     (the first value is an answer's)
    /// ```
    ///
    /// No change is missed: the connection listens to changes before it asks for the value, and a change that is in
    /// the answer already does not count as new. When the destination's name gets another owner, as after a restart
    /// of the service, the connection asks for the value again. While a well-known name has no owner, nothing is
    /// heard.
    ///
    /// - Ends: never.
    /// - Fails: when the object, the interface or the property does not exist, or answers with another error; when a unique name
    ///   is gone; when a value is not of the type; when the bus cannot be reached or is lost.
    /// - Cancelling: takes the rules back.
    /// - Buffers: `limit` values while the observer pauses; then the oldest is dropped, and is counted as lost. 64 more are on
    ///   their way to the scheduler. While values of more than 16 KiB take 64 MiB or more, each new value takes the place of the one before,
    ///   which is counted as lost.
    /// - Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - name: the property's name.
    ///   - interface: its interface.
    ///   - type: the type that its values are decoded as.
    ///   - fetchesInvalidated: whether to ask for the value when the service only reports that it has changed.
    ///     Otherwise nothing is heard of such a change.
    ///   - scheduler: delivers the values; `bus-events` by default.
    ///   - limit: how many may wait.
    public func property<Value: Decodable & Sendable, S: Scheduler>(
        _ name: String,
        of interface: String,
        as type: Value.Type,
        fetchesInvalidated: Bool = true,
        on scheduler: S = ThreadScheduler.shared,
        limit: Int = 64
    ) -> some Signal<Value, DBusError> {
        decoded(
            property(name, of: interface, fetchesInvalidated: fetchesInvalidated, on: scheduler, limit: limit),
            "read the property \(interface).\(name) of \(destination)"
        )
    }

    /// The same, with a call that comes before each request.
    func property<Value: Decodable & Sendable>(
        _ name: String,
        of interface: String,
        as type: Value.Type,
        prelude: DBusCall
    ) -> some Signal<Value, DBusError> {
        decoded(
            watch(interface, name, true, ThreadScheduler.shared, 64, prelude).compactMap { $0[name] }
                .removeDuplicates(),
            "read the property \(interface).\(name) of \(destination)"
        )
    }

    private func decoded<Value: Decodable & Sendable>(
        _ values: some Signal<DBusValue, DBusError>,
        _ operation: String
    ) -> some Signal<Value, DBusError> {
        values.attemptMap { (value: DBusValue) throws(DBusError) in
            do {
                return try value.decode(Value.self)
            } catch {
                throw DBusError(.unexpected("'\(value.type)' is no \(Value.self): \(error)"), operation)
            }
        }
    }

    /// All properties of an interface now, and again whenever some have changed. Cold.
    ///
    /// ```
    /// changes       --------a=2---------x
    /// properties()  --a=1,b=1--a=2,b=1--x
    /// ```
    ///
    /// The same rules hold as for ``property(_:of:as:fetchesInvalidated:on:limit:)``. Without `fetchesInvalidated`, a
    /// property whose service only reports that it has changed is missing until its value is sent.
    public func properties<S: Scheduler>(
        of interface: String,
        fetchesInvalidated: Bool = true,
        on scheduler: S = ThreadScheduler.shared,
        limit: Int = 64
    ) -> some Signal<[String: DBusValue], DBusError> {
        watch(interface, nil, fetchesInvalidated, scheduler, limit)
    }

    private func watch<S: Scheduler>(
        _ interface: String,
        _ property: String?,
        _ fetchesInvalidated: Bool,
        _ scheduler: S,
        _ limit: Int,
        _ prelude: DBusCall? = nil
    ) -> some Signal<[String: DBusValue], DBusError> {
        Signals.create(
            of: DBusPropertyParcel.self,
            failure: DBusError.self,
            limit: limit,
            overflow: .dropOldest
        ) { [self] emitter in
            let state = DBusWatchState()
            DBusPropertyWatch(self, interface, property, fetchesInvalidated, prelude, emitter, state).start()
            return ActionDisposable { state.stop() }
        }
        .deliver(on: scheduler, limit: 64)
        .compactMap { $0.open() }
    }
}

extension DBusConnection {
    /// An object of another process.
    public func proxy(for destination: String, at path: String) -> DBusProxy {
        DBusProxy(connection: self, destination: destination, path: path)
    }
}
