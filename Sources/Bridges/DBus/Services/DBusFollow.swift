import Bus

/// A service's signals, and its answer to a request for the state before them.
enum DBusFollowed: Sendable {
    /// The service's answer, when the subscription began or the service came back.
    case answer(DBusParcel)
    /// A signal that was sent after the last answer.
    case signal(DBusParcel)
    /// Nobody owns the service's name.
    case absent
}

/// Follows a service through its restarts. All in the connection's order: the rules, the request, and their results.
struct DBusFollow: DBusListening {
    let core: DBusCore
    let destination: String
    let matches: [DBusMatch]
    /// Calls that come before the request, each time. Their answers do not matter.
    let preludes: [DBusCall]
    let request: DBusCall
    let emitter: Emitter<DBusFollowed, DBusError>
    let state: DBusWatchState
    let capacity = DBusCapacity()

    func start() {
        for match in [.ownerChanges(of: destination)] + matches {
            let rule = core.subscribe(to: match, self)
            state.keep(rule) { $0.rules.append(rule) }
        }
        ask()
    }

    var isWanted: Bool { emitter.demand != .stop }

    func hear(_ message: DBusMessage) {
        if message.sender == DBusNames.bus, message.member == "NameOwnerChanged" {
            if message.arguments.dropFirst(2).first?.text?.isEmpty == false { return ask() }
            state.lock.withLock { known in
                known.lastRequest += 1
                known.isAwaiting = true
            }
            emitter.send(.absent)
        } else if !state.lock.withLock({ $0.isAwaiting }) {
            if let parcel = capacity.parcel(message) { emitter.send(.signal(parcel)) } else { miss(1) }
        }
    }

    func miss(_ count: Int) { emitter.sendLoss(of: count) }

    func fail(_ error: DBusError) { emitter.fail(error) }

    private func ask() {
        let number = state.lock.withLock { known in
            known.lastRequest += 1
            known.isAwaiting = true
            return known.lastRequest
        }
        for prelude in preludes { _ = core.call(prelude) { _ in } }
        let call = core.call(request) { take($0, number) }
        state.keep(call) { $0.request = call }
    }

    private func take(_ result: Result<DBusMessage, DBusError>, _ number: Int) {
        let isMeant = state.lock.withLock { known in
            guard known.lastRequest == number, !known.isOver else { return false }
            known.isAwaiting = false
            return true
        }
        guard isMeant else { return }
        switch result {
        case .success(let answer):
            // Nothing can stand for an answer that is left out.
            guard let parcel = capacity.parcel(answer) else {
                let text = "more than \(DBusCapacity.size >> 20) MiB of answers wait to be heard"
                return emitter.fail(DBusError(.unexpected(text), request.operation))
            }
            emitter.send(.answer(parcel))
        case .failure(let error):
            guard let name = error.remoteName, DBusPropertyWatch.absences.contains(name) else {
                return emitter.fail(error)
            }
            state.lock.withLock { $0.isAwaiting = true }
            emitter.send(.absent)
        }
    }
}

extension DBusConnection {
    /// The signal of a ``DBusFollow``.
    func follow(
        _ destination: String,
        matches: [DBusMatch],
        preludes: [DBusCall] = [],
        request: DBusCall,
        limit: Int
    ) -> some Signal<DBusFollowed, DBusError> {
        Signals.create(of: DBusFollowed.self, failure: DBusError.self, limit: limit) { [core] emitter in
            let state = DBusWatchState()
            DBusFollow(
                core: core,
                destination: destination,
                matches: matches,
                preludes: preludes,
                request: request,
                emitter: emitter,
                state: state
            ).start()
            return ActionDisposable { state.stop() }
        }
    }
}
