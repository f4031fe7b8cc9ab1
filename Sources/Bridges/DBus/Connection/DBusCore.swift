import Bus

/// The present link of a connection, if it has one, shared by everything that uses the connection.
final class DBusCore: Sendable {
    private struct State: Sendable {
        var link: DBusLink?
        var lastNumber: UInt64 = 0
        var isClosed = false
    }

    private let address: DBusAddress
    private let state = Lock(State())

    init(_ address: DBusAddress) {
        self.address = address
    }

    deinit {
        close()
    }

    func close() {
        let link = state.withLock { state in
            state.isClosed = true
            return state.link.take()
        }
        link?.close()
    }

    func subscribe(to match: DBusMatch, _ target: some DBusListening) -> any Disposable {
        let number = nextNumber()
        if let flaw = match.flaw {
            target.fail(DBusError(.invalid(flaw), "listen to \(match.rule)"))
            return FinishedDisposable()
        }
        let link = perform(.subscribe(number, match, target))
        // The core lives as long as the subscription.
        return ActionDisposable { [self] in withExtendedLifetime(self) { _ = link?.accept(.unsubscribe(number)) } }
    }

    func call(_ call: DBusCall, _ answer: @escaping @Sendable (Result<DBusMessage, DBusError>) -> Void)
        -> any Disposable
    {
        let number = nextNumber()
        let link = perform(.call(number, call, answer))
        return ActionDisposable { [self] in withExtendedLifetime(self) { _ = link?.accept(.forget(number)) } }
    }

    /// Asks for a name, unless `isWanted` answers false when the connection comes to it. The handle gives the name up; the connection
    /// releases it when nobody else uses it.
    func own(
        _ name: String,
        _ options: DBusNameOptions,
        isWanted: @escaping @Sendable () -> Bool,
        _ answer: @escaping DBusCalls.Answer
    ) -> any Disposable {
        let number = nextNumber()
        let request = DBusNameRequest(
            number: number,
            name: name,
            options: options,
            isWanted: isWanted,
            answer: answer
        )
        let link = perform(.own(request))
        return ActionDisposable { [self] in
            withExtendedLifetime(self) { _ = link?.accept(.disown(number, name: name)) }
        }
    }

    /// Serves objects. `report` hears the outcome, and later that the connection has ended, on the connection's thread or this one.
    func export(
        _ objects: [DBusObject],
        _ report: @escaping @Sendable (Result<Void, DBusError>) -> Void
    ) -> any Disposable {
        let number = nextNumber()
        let link = perform(.export(number, objects, report))
        return ActionDisposable { [self] in withExtendedLifetime(self) { _ = link?.accept(.withdraw(number)) } }
    }

    /// Hands a command to the link, or to a new one if that has ended. Returns the link; nil when the command has
    /// failed.
    @discardableResult
    func perform(_ command: DBusCommand) -> DBusLink? {
        while true {
            let (link, isNew, former) = state.withLock { state -> (DBusLink?, Bool, DBusLink?) in
                if state.isClosed { return (nil, false, nil) }
                if let link = state.link, !link.isOver { return (link, false, nil) }
                let link = DBusLink(address)
                defer { state.link = link }
                return (link, true, state.link)
            }
            withExtendedLifetime(former) {}
            guard let link else {
                command.fail(.disconnected)
                return nil
            }
            let isAccepted = link.accept(command)
            if isNew { link.start() }
            if isAccepted { return link }
        }
    }

    /// Hands a command to the present link, if there is one.
    func performIfOpen(_ command: DBusCommand) {
        guard let link = state.withLock({ $0.link }), link.accept(command) else { return command.fail(.disconnected) }
    }

    private func nextNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }
}
