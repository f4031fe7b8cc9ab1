import Bus
import DBusBridge
import Timers

/// An event of a session on a bus.
enum DBusHeard: Sendable {
    /// From now on everything is heard.
    case began
    case message(DBusMessage, senderNames: [String])
}

/// One connection to a bus, from the first question to its end.
///
/// It first learns the owners of names and follows each change, so that each message has its sender's names.
/// Everything here runs on the threads of the connections, where messages keep their order, and does not wait.
struct DBusSession: Sendable {
    static let bus = "org.freedesktop.DBus"
    private static let manager = "org.freedesktop.systemd1"
    static let ownerChanges = DBusMatch(sender: bus, interface: bus, member: "NameOwnerChanged")

    private let choice: DBusRecords
    private let sieve: DBusSieve
    private let connection: DBusConnection
    private let names = DBusNameTable()

    init(_ choice: DBusRecords, _ sieve: DBusSieve) {
        self.choice = choice
        self.sieve = sieve
        connection = DBusConnection(choice.address)
    }

    /// Never ends. The subscriber must not pause.
    func heard() -> AnySignal<DBusHeard, DBusError> {
        sieve.begin()
        let changes = connection.signals(matching: Self.ownerChanges, on: ImmediateScheduler())
            .on(next: { [names] in names.note($0) })
            // After the bus was started anew, the manager may come to it later than this connection.
            .filter { $0.arguments.first?.text == Self.manager && !choice.isMonitoring }
            .flatMap { _ in askingManager() }
        let messages = learned().then(Signals.deferred { choice.isMonitoring ? monitored() : listened() })
        return Signals.merge([changes.eraseToAnySignal(), messages.eraseToAnySignal()])
            .mapError { named($0) }
            .eraseToAnySignal()
    }

    /// A connection that is lost is lost for all that was asked of it.
    private func named(_ error: DBusError) -> DBusError {
        switch error.reason {
        case .unreachable, .disconnected: DBusError(error.reason, "listen to \(choice.address)")
        default: error
        }
    }

    private func heard(_ message: DBusMessage) -> DBusHeard { .message(message, senderNames: senderNames(of: message)) }

    private func senderNames(of message: DBusMessage) -> [String] {
        var known = message.sender.map { names.names(of: $0) } ?? []
        if let name = message.senderName, !known.contains(name) { known.append(name) }
        return known
    }

    private func admits(_ header: DBusMessage) -> Bool {
        sieve.admits(header, senderNames: senderNames(of: header))
    }

    // MARK: Names

    /// Ends when all owners are known.
    private func learned() -> AnySignal<DBusMessage, DBusError> {
        ask("ListNames")
            .on(next: { [names] in names.own = $0.destination })
            .flatMap { reply in
                let known = reply.arguments.first?.elements?.compactMap(\.text) ?? []
                return Signals.merge(known.filter { !$0.hasPrefix(":") && $0 != Self.bus }.map(learnedOwner))
            }
            .eraseToAnySignal()
    }

    private func learnedOwner(of name: String) -> AnySignal<DBusMessage, DBusError> {
        ask("GetNameOwner", [.string(name)])
            .on(next: { [names] in names.set(name, to: $0.text) })
            .catch { error in
                // An error means that nobody owns it any more.
                error.remoteName == nil
                    ? Signals.fail(error, of: DBusMessage.self).eraseToAnySignal()
                    : Signals.empty(DBusMessage.self, failure: DBusError.self).eraseToAnySignal()
            }
            .eraseToAnySignal()
    }

    private func ask(_ member: String, _ arguments: [DBusValue] = []) -> AnySignal<DBusMessage, DBusError> {
        connection.reply(to: .bus(member, arguments), on: ImmediateScheduler()).eraseToAnySignal()
    }

    // MARK: Signals

    /// Broadcast signals that any of the rules matches.
    private func listened() -> AnySignal<DBusHeard, DBusError> {
        let rules = choice.matches.isEmpty ? [DBusMatch()] : choice.matches.map(Self.ofSignals)
        let signals = rules.map {
            connection.signals(matching: $0, admitting: admits).eraseToAnySignal()
        }
        // A message that several rules match comes for each of them, one right behind the other.
        let messages = Signals.merge(signals).removeDuplicates { $0.cookie == $1.cookie && $0.sender == $1.sender }
            .map { heard($0) }
        // The bus answers when it has taken the rules.
        let began = ask("GetId").map { _ in DBusHeard.began }
        return Signals.merge([messages.eraseToAnySignal(), askingManager(), began.eraseToAnySignal()])
            .eraseToAnySignal()
    }

    private static func ofSignals(_ match: DBusMatch) -> DBusMatch {
        var match = match
        match.kind = .signal
        return match
    }

    /// The service manager sends signals as long as somebody has asked for them. A refusal changes nothing for other signals.
    private func askingManager() -> AnySignal<DBusHeard, DBusError> {
        let nothing = Signals.empty(DBusHeard.self, failure: DBusError.self).eraseToAnySignal()
        guard choice.address == .system || choice.address == .session, names.owner(of: Self.manager) != nil else {
            return nothing
        }
        let call = DBusCall(
            to: Self.manager,
            at: "/org/freedesktop/systemd1",
            interface: "org.freedesktop.systemd1.Manager",
            member: "Subscribe",
            startsService: false
        )
        return connection.reply(to: call, on: ImmediateScheduler())
            .ignoreValues(as: DBusHeard.self)
            .catch { _ in nothing }
            .eraseToAnySignal()
    }

    // MARK: Monitoring

    /// The messages of others. The messages of this connection are left out: its calls only show when the monitor
    /// hears.
    private func monitored() -> AnySignal<DBusHeard, DBusError> {
        let own = names.own
        var matches = choice.matches
        if !matches.isEmpty { matches.append(DBusMatch(kind: .methodCall, sender: own, member: "GetId")) }
        let hasBegun = Lock(false)
        @Sendable func isOwn(_ message: DBusMessage) -> Bool { message.sender == own || message.destination == own }
        let messages = connection.monitor(
            matching: matches,
            admitting: { isOwn($0) || admits($0) || DBusNameTable.isChange($0) }
        )
        .compactMap { [names] message -> DBusHeard? in
            names.note(message)
            guard isOwn(message) else { return heard(message) }
            let isFirst = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            return isFirst ? .began : nil
        }
        let calls = Signals.interval(every: .milliseconds(20), first: .immediately)
            .promoteFailure(to: DBusError.self)
            .take(while: { _ in !hasBegun.withLock { $0 } })
            .flatMap(.concat, limit: 1) { _ in ask("GetId") }
            .ignoreValues(as: DBusHeard.self)
        return Signals.merge([messages.eraseToAnySignal(), calls.eraseToAnySignal()]).eraseToAnySignal()
    }
}
