public import Bus

/// The state of the objects and the name that a program offers.
public enum DBusServing: Sendable, Hashable {
    /// The objects can be called.
    case served
    /// The name is this connection's: calls to it reach the objects.
    case nameAcquired(String)
    /// Another connection took the name over, or the bus took it away. The name comes back by itself when that
    /// connection releases it, unless ``DBusNameOptions/doesNotQueue`` was asked for.
    case nameLost(String)
}

/// The options for requesting a name, as in `RequestName` of the D-Bus specification.
public struct DBusNameOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Another connection that asks for it with ``replaces`` gets the name.
    public static let allowsReplacement = DBusNameOptions(rawValue: 1)
    /// Takes the name from its owner, if that owner allows it.
    public static let replaces = DBusNameOptions(rawValue: 2)
    /// Fails when the name has another owner, and does not wait for it.
    public static let doesNotQueue = DBusNameOptions(rawValue: 4)
}

extension DBusConnection {
    /// Offers objects to other programs, and reports the state. Cold: the objects are served from subscribing until
    /// the subscription is disposed of.
    ///
    /// ```
    /// bus     ---taken------lost------taken---x
    /// serve   S--A----------L---------A-------x     (served, nameAcquired, nameLost)
    /// ```
    ///
    /// The objects can be called before the name is requested, so that no call finds the name without them. Use
    /// `retry` to go on after the bus was restarted.
    ///
    /// ```swift
    /// import Bus
    /// import DBusBridge
    /// import Timers
    ///
    /// let session = DBusConnection(.session)
    /// let greeter = DBusInterface("org.example.Greeter").method("Greet", takes: "s", returns: "s") { call in
    ///     [.string("Hello, \(call.text ?? "")")]
    /// }
    /// let serving = session.serve([DBusObject(at: "/org/example/Greeter", interfaces: [greeter])], as: "org.example.Greeter")
    ///     .retry(backoff: .exponential(upTo: .seconds(30)))
    ///     .subscribe(next: { print($0) }, failed: { print($0) })
    /// ```
    ///
    /// - Ends: never.
    /// - Fails: when a name, a signature or a path breaks a rule, or a path is served on this connection already; when the name cannot
    ///   be had; when the bus cannot be reached or is lost.
    /// - Cancelling: releases the name, unless another subscription on this connection serves by it, and serves no longer. Calls that
    ///   are being answered are answered.
    /// - Buffers: 64 events while the observer pauses. Calls do not wait for it.
    /// - Thread: the scheduler's. Methods run in tasks of their own.
    ///
    /// - Parameters:
    ///   - objects: the objects to serve.
    ///   - name: a well-known name to ask for; nil for none. It needs a bus.
    ///   - options: how to ask.
    ///   - scheduler: delivers the events; `bus-events` by default.
    public func serve<S: Scheduler>(
        _ objects: [DBusObject],
        as name: String? = nil,
        options: DBusNameOptions = [],
        on scheduler: S = ThreadScheduler.shared
    ) -> some Signal<DBusServing, DBusError> {
        Signals.create(of: DBusServing.self, failure: DBusError.self, limit: 64) { [core] emitter in
            let export = core.export(objects) { result in
                switch result {
                case .success: emitter.send(.served)
                case .failure(let error): emitter.fail(error)
                }
            }
            let publishers = objects.map { DBusPropertyPublisher($0, core).start() }
            let ownership = name.map { DBusOwnName($0, emitter).request(options, core) }
            return ActionDisposable {
                ownership?.dispose()
                for publisher in publishers { publisher.dispose() }
                export.dispose()
            }
        }
        .deliver(on: scheduler, limit: 64)
    }
}

/// Requests a well-known name and hears when it is acquired and lost.
private struct DBusOwnName: DBusListening {
    private let name: String
    private let emitter: Emitter<DBusServing, DBusError>

    init(_ name: String, _ emitter: Emitter<DBusServing, DBusError>) {
        self.name = name
        self.emitter = emitter
    }

    func request(_ options: DBusNameOptions, _ core: DBusCore) -> any Disposable {
        let operation = "own the name \(name)"
        guard DBusNames.isBusName(name), !name.hasPrefix(":") else {
            emitter.fail(DBusError(.invalid("'\(name.prefix(300))' is no well-known name"), operation))
            return FinishedDisposable()
        }
        // The bus reports changes of the name by signals to this connection alone, which are in order with its
        // answers.
        let changes = ["NameAcquired", "NameLost"].map { member in
            let match = DBusMatch(
                sender: DBusNames.bus,
                interface: DBusNames.bus,
                member: member,
                arguments: [0: name]
            )
            return core.subscribe(to: match, self)
        }
        let ownership = core.own(name, options, isWanted: { isWanted }) { result in
            switch result {
            case .failure(let error): emitter.fail(DBusError(error.reason, operation))
            case .success(let answer):
                // 3: it has an owner; 4: this connection is the owner, and hears no signal.
                if answer.arguments.first?.integer == 3 {
                    let reason = DBusError.Reason.remote(
                        name: "org.freedesktop.DBus.Error.NameExists",
                        message: "it has an owner"
                    )
                    emitter.fail(DBusError(reason, operation))
                } else if answer.arguments.first?.integer == 4 {
                    emitter.send(.nameAcquired(name))
                }
            }
        }
        return ActionDisposable {
            ownership.dispose()
            for change in changes { change.dispose() }
        }
    }

    var isWanted: Bool { emitter.demand != .stop }

    func hear(_ message: DBusMessage) {
        emitter.send(message.member == "NameAcquired" ? .nameAcquired(name) : .nameLost(name))
    }

    func miss(_ count: Int) { emitter.sendLoss(of: count) }

    func fail(_ error: DBusError) { emitter.fail(error) }
}
