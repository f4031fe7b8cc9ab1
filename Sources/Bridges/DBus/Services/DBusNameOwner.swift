public import Bus

/// A name on the bus and its owner.
public struct DBusNameOwner: Sendable, Hashable {
    /// A well-known name, or a unique one.
    public let name: String
    /// The owner's unique name; nil when it has no owner any more.
    public let owner: String?

    /// For tests: a value to compare with those of ``DBusConnection/names(in:on:limit:)``.
    public init(name: String, owner: String?) {
        self.name = name
        self.owner = owner
    }
}

extension DBusConnection {
    /// The names on the bus: first the existing ones, and then each that appears, disappears or changes its owner.
    /// Cold.
    ///
    /// ```
    /// bus      a b ----c----a gone---x
    /// names    --a-b---c----a--------x     (a and b are in an answer)
    /// ```
    ///
    /// The connection listens to changes before it asks for the names, so that none is missed. A change that comes before the answer is
    /// in the answer.
    ///
    /// - Ends: never.
    /// - Fails: when the bus cannot be reached or is lost.
    /// - Cancelling: takes the rule back.
    /// - Buffers: at most `limit` names while the observer pauses; further ones are lost, the newest first, and
    ///   counted. 64 more are on their way to the scheduler.
    /// - Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - namespace: only well-known names that are this one or begin with it and a dot; nil for all, unique ones among them.
    ///   - scheduler: delivers the names; `bus-events` by default.
    ///   - limit: how many may wait.
    public func names<S: Scheduler>(
        in namespace: String? = nil,
        on scheduler: S = ThreadScheduler.shared,
        limit: Int = 4096
    ) -> some Signal<DBusNameOwner, DBusError> {
        Signals.create(of: DBusNameOwner.self, failure: DBusError.self, limit: limit) { [core] emitter in
            let state = DBusWatchState()
            DBusNameWatch(core: core, namespace: namespace, emitter: emitter, state: state).start()
            return ActionDisposable { state.stop() }
        }
        .deliver(on: scheduler, limit: 64)
    }
}

/// Follows the names of a bus, on the connection's thread.
private struct DBusNameWatch: DBusListening {
    let core: DBusCore
    let namespace: String?
    let emitter: Emitter<DBusNameOwner, DBusError>
    let state: DBusWatchState

    func start() {
        let match = DBusMatch(
            sender: DBusNames.bus,
            interface: DBusNames.bus,
            member: "NameOwnerChanged",
            argument0Namespace: namespace
        )
        state.lock.withLock { $0.isAwaiting = true }
        let rule = core.subscribe(to: match, self)
        state.keep(rule) { $0.rules.append(rule) }
        ask("ListNames", []) { result in
            switch result {
            case .success(let answer):
                askForOwners(of: (answer.arguments.first?.elements ?? []).compactMap(\.text).filter(isMeant))
            case .failure(let error): emitter.fail(error)
            }
        }
    }

    var isWanted: Bool { emitter.demand != .stop }

    func hear(_ message: DBusMessage) {
        guard let name = message.text, !state.lock.withLock({ $0.isAwaiting }) else { return }
        let owner = message.arguments.dropFirst(2).first?.text ?? ""
        emitter.send(DBusNameOwner(name: name, owner: owner.isEmpty ? nil : owner))
    }

    func miss(_ count: Int) { emitter.sendLoss(of: count) }

    func fail(_ error: DBusError) { emitter.fail(error) }

    /// The owners of the well-known names are asked for one by one; changes that come meanwhile are in order with the
    /// answers.
    private func askForOwners(of names: [String]) {
        state.lock.withLock { $0.isAwaiting = false }
        for name in names {
            guard !name.hasPrefix(":") else {
                emitter.send(DBusNameOwner(name: name, owner: name))
                continue
            }
            ask("GetNameOwner", [.string(name)]) { result in
                // An error means that it has gone meanwhile, which is reported as a change.
                if case .success(let answer) = result, let owner = answer.text {
                    emitter.send(DBusNameOwner(name: name, owner: owner))
                }
            }
        }
    }

    private func ask(
        _ member: String,
        _ arguments: [DBusValue],
        _ answer: @escaping @Sendable (Result<DBusMessage, DBusError>) -> Void
    ) {
        let request = core.call(.bus(member, arguments), answer)
        state.keep(request) { $0.rules.append(request) }
    }

    private func isMeant(_ name: String) -> Bool {
        guard let namespace else { return true }
        return name == namespace || name.hasPrefix(namespace + ".")
    }
}
