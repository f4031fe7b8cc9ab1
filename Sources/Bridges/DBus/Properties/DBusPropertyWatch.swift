import Bus

/// Follows properties of an object. Changes and answers come on the connection's thread, in the order in which the bus sent them.
///
/// A change that arrives before the answer that is awaited was made before the service answered, so that the answer has it already. It is
/// dropped. A change that arrives later is newer than the answer.
struct DBusPropertyWatch: DBusListening {
    private let proxy: DBusProxy
    private let interface: String
    /// nil follows all.
    private let property: String?
    private let fetchesInvalidated: Bool
    /// A call that comes before each request. Its answer does not matter.
    private let prelude: DBusCall?
    private let emitter: Emitter<DBusPropertyParcel, DBusError>
    private let backlog = DBusPropertyBacklog()
    /// The subscription's end holds this and not the emitter, which would keep itself alive.
    private let state: DBusWatchState

    init(
        _ proxy: DBusProxy,
        _ interface: String,
        _ property: String?,
        _ fetchesInvalidated: Bool,
        _ prelude: DBusCall?,
        _ emitter: Emitter<DBusPropertyParcel, DBusError>,
        _ state: DBusWatchState
    ) {
        self.proxy = proxy
        self.interface = interface
        self.property = property
        self.fetchesInvalidated = fetchesInvalidated
        self.prelude = prelude
        self.emitter = emitter
        self.state = state
    }

    func start() {
        let changes = DBusMatch(
            sender: proxy.destination,
            path: proxy.path,
            interface: DBusNames.properties,
            member: "PropertiesChanged",
            arguments: [0: interface]
        )
        for match in [.ownerChanges(of: proxy.destination), changes] {
            let rule = proxy.connection.core.subscribe(to: match, self)
            state.keep(rule) { $0.rules.append(rule) }
        }
        fetch()
    }

    var isWanted: Bool { emitter.demand != .stop }

    func hear(_ message: DBusMessage) {
        if message.member == "NameOwnerChanged" { return noteOwner(message.arguments.dropFirst(2).first?.text ?? "") }
        guard message.arguments.count == 3, case .dictionary(let changed) = message.arguments[1] else { return }
        let invalidated = (message.arguments[2].elements ?? []).compactMap(\.text).filter(isMeant)
        var isFetchDue = !invalidated.isEmpty && fetchesInvalidated
        let values = state.lock.withLock { state -> [String: DBusValue]? in
            guard !state.isAwaiting, !state.isOver else {
                isFetchDue = false
                return nil
            }
            var values = state.values
            for entry in changed.entries {
                if let name = entry.key.text, isMeant(name) { values[name] = entry.value.unwrappedOnce }
            }
            if values.count > state.answered + Self.maxUnknown { isFetchDue = true }
            // A value that is requested again is kept until the answer.
            if !isFetchDue { for name in invalidated { values[name] = nil } }
            guard values != state.values else { return nil }
            state.values = values
            return values
        }
        if let values { send(values) }
        if isFetchDue { fetch() }
    }

    private func send(_ values: [String: DBusValue]) {
        if let parcel = backlog.parcel(values) { emitter.send(parcel) } else { emitter.sendLoss(of: 1) }
    }

    /// A change that could not be read may have been any, also one of the owner, to which an answer that is awaited does not belong.
    func miss(_ count: Int) {
        let isFetchDue = state.lock.withLock { state in
            state.isStale = state.isRequested
            return !state.isStale
        }
        if isFetchDue { fetch() }
    }

    func fail(_ error: DBusError) { emitter.fail(error) }

    private func noteOwner(_ owner: String) {
        guard owner.isEmpty else { return fetch() }
        state.lock.withLock { state in
            // The answer of an owner that is gone does not count.
            state.lastRequest += 1
            state.isAwaiting = true
            state.isRequested = false
        }
        guard proxy.destination.hasPrefix(":") else { return }
        let reason = DBusError.Reason.remote(
            name: "org.freedesktop.DBus.Error.NameHasNoOwner",
            message: "its owner is gone"
        )
        emitter.fail(DBusError(reason, operation))
    }

    private func fetch() {
        let (number, former) = state.lock.withLock { state in
            state.lastRequest += 1
            state.isAwaiting = true
            state.isRequested = true
            state.isStale = false
            return (state.lastRequest, state.request.take())
        }
        former?.dispose()
        if let prelude { _ = proxy.connection.core.call(prelude) { _ in } }
        let arguments = [interface, property].compactMap { $0.map(DBusValue.string) }
        let call = DBusCall(
            to: proxy.destination,
            at: proxy.path,
            interface: DBusNames.properties,
            member: property == nil ? "GetAll" : "Get",
            arguments: arguments
        )
        let request = proxy.connection.core.call(call) { take($0, number) }
        state.keep(request) { $0.request = request }
    }

    private func take(_ result: Result<DBusMessage, DBusError>, _ number: Int) {
        let isStale = state.lock.withLock { state -> Bool? in
            guard state.lastRequest == number, !state.isOver else { return nil }
            state.isRequested = false
            return state.isStale
        }
        guard let isStale else { return }
        if isStale { return fetch() }
        switch result {
        case .success(let answer):
            let values = values(in: answer)
            guard let values else {
                let reason = DBusError.Reason.unexpected("the answer is '\(answer.signature)'")
                return emitter.fail(DBusError(reason, operation))
            }
            state.lock.withLock { state in
                state.values = values
                state.answered = values.count
                state.isAwaiting = false
            }
            send(values)
        case .failure(let error):
            // Nobody owns the name. A change is heard when somebody does.
            let isAbsent = error.remoteName.map(Self.absences.contains) ?? false
            if isAbsent, !proxy.destination.hasPrefix(":") { return }
            emitter.fail(DBusError(error.reason, operation))
        }
    }

    private func values(in answer: DBusMessage) -> [String: DBusValue]? {
        guard let first = answer.arguments.first else { return nil }
        if let property { return [property: first.unwrappedOnce] }
        guard case .dictionary(let all) = first else { return nil }
        var values: [String: DBusValue] = [:]
        for entry in all.entries {
            if let name = entry.key.text { values[name] = entry.value.unwrappedOnce }
        }
        return values
    }

    private func isMeant(_ name: String) -> Bool { property == nil || property == name }

    private var operation: String {
        "read \(property.map { "the property \(interface).\($0)" } ?? "the properties of \(interface)") of \(proxy.destination)"
    }

    /// How many names that the last answer did not have are kept before all are requested again: a service that invents names must not fill
    /// the memory.
    static let maxUnknown = 1024

    static let absences: Set<String> = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    ]
}

/// The state of a watch, and the handles to dispose of at its end.
final class DBusWatchState: Sendable {
    struct Known: Sendable {
        var values: [String: DBusValue] = [:]
        /// How many the last answer had.
        var answered = 0
        /// Each request has a number; only the answer to the last one counts.
        var lastRequest = 0
        var isAwaiting = false
        /// The last request is under way.
        var isRequested = false
        /// The answer to it does not count, and is followed by another request.
        var isStale = false
        var request: (any Disposable)?
        var rules: [any Disposable] = []
        var isOver = false
    }

    let lock = Lock(Known())

    func stop() {
        let (rules, request) = lock.withLock { known in
            known.isOver = true
            defer { (known.rules, known.request) = ([], nil) }
            return (known.rules, known.request)
        }
        request?.dispose()
        for rule in rules { rule.dispose() }
    }

    /// Keeps the result of `change`, or disposes of it if the watch has ended.
    func keep(_ disposable: any Disposable, _ change: (inout Known) -> Void) {
        let (isKept, replaced) = lock.withLock { known -> (Bool, (any Disposable)?) in
            let replaced = known.request
            if !known.isOver { change(&known) }
            return (!known.isOver, replaced)
        }
        withExtendedLifetime(replaced) {}
        if !isKept { disposable.dispose() }
    }
}

extension DBusValue {
    /// The content of a variant, if this is one.
    var unwrappedOnce: DBusValue {
        if case .variant(let inner) = self { return inner }
        return self
    }
}
