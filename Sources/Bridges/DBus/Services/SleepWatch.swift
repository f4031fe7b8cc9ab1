import Bus

/// Holds logind's delay lock, and follows the machine's sleep. On the connection's thread.
struct SleepWatch: DBusListening {
    /// Apart from the subscription's end, which must not hold the emitter.
    private final class Sleeping: Sendable {
        struct Known: Sendable {
            var isAsleep = false
            var lock: DBusDescriptor?
        }

        let state = Lock(Known())
    }

    private let login: LoginManager
    private let who: String
    private let why: String
    private let emitter: Emitter<SleepEvent, DBusError>
    private let watch: DBusWatchState
    private let sleeping = Sleeping()

    init(
        _ login: LoginManager,
        who: String,
        why: String,
        _ emitter: Emitter<SleepEvent, DBusError>,
        _ watch: DBusWatchState
    ) {
        self.login = login
        self.who = who
        self.why = why
        self.emitter = emitter
        self.watch = watch
    }

    func start() {
        let sleeps = DBusMatch(
            sender: login.name,
            path: LoginManager.path,
            interface: LoginManager.interface,
            member: "PrepareForSleep"
        )
        for match in [.ownerChanges(of: login.name), sleeps] {
            let rule = login.connection.core.subscribe(to: match, self)
            watch.keep(rule) { $0.rules.append(rule) }
        }
        let release = ActionDisposable { [sleeping] in sleeping.state.withLock { $0.lock = nil } }
        watch.keep(release) { $0.rules.append(release) }
        begin()
    }

    var isWanted: Bool { emitter.demand != .stop }

    func hear(_ message: DBusMessage) {
        if message.member == "NameOwnerChanged" {
            // A lock outlives logind's restart, but messages sent meanwhile are lost.
            if message.arguments.dropFirst(2).first?.text?.isEmpty == false { begin() }
        } else if let isAsleep = message.arguments.first?.bool {
            note(isAsleep)
        }
    }

    /// A missed message may have said that the machine sleeps.
    func miss(_ count: Int) { begin() }

    func fail(_ error: DBusError) { emitter.fail(error) }

    /// Takes the lock, and then asks whether the machine goes to sleep already.
    private func begin() {
        inhibit()
        ask(DBusNames.properties, "Get", [.string(LoginManager.interface), "PreparingForSleep"]) { result in
            switch result {
            case .success(let answer): if let isAsleep = answer.arguments.first?.bool { note(isAsleep) }
            case .failure(let error): report(error)
            }
        }
    }

    private func inhibit() {
        ask(LoginManager.interface, "Inhibit", ["sleep", .string(who), .string(why), "delay"]) { result in
            switch result {
            case .success(let answer):
                guard case .descriptor(let lock)? = answer.arguments.first else {
                    let reason = DBusError.Reason.unexpected("logind's answer is '\(answer.signature)'")
                    return emitter.fail(DBusError(reason, "delay the machine's sleep"))
                }
                // A subscription that has ended meanwhile closes it.
                if watch.lock.withLock({ !$0.isOver }) { sleeping.state.withLock { $0.lock = lock } }
            case .failure(let error):
                // While the machine goes to sleep no lock is given out.
                if error.remoteName != "org.freedesktop.login1.OperationInProgress" { report(error) }
            }
        }
    }

    private func note(_ isAsleep: Bool) {
        let (isChange, lock) = sleeping.state.withLock { known in
            guard known.isAsleep != isAsleep else { return (false, DBusDescriptor?.none) }
            known.isAsleep = isAsleep
            return (true, isAsleep ? known.lock.take() : nil)
        }
        guard isChange else { return }
        emitter.send(isAsleep ? .goesToSleep(SleepDelay(lock)) : .isAwake)
        if !isAsleep { inhibit() }
    }

    private func report(_ error: DBusError) {
        // Nobody owns logind's name. A change is heard when somebody does.
        if let name = error.remoteName, DBusPropertyWatch.absences.contains(name) { return }
        emitter.fail(error)
    }

    private func ask(
        _ interface: String,
        _ member: String,
        _ arguments: [DBusValue],
        _ answer: @escaping @Sendable (Result<DBusMessage, DBusError>) -> Void
    ) {
        let call = DBusCall(
            to: login.name,
            at: LoginManager.path,
            interface: interface,
            member: member,
            arguments: arguments
        )
        let request = login.connection.core.call(call, answer)
        watch.keep(request) { known in
            // Only the last two can be under way.
            known.rules.append(request)
            if known.rules.count > 16 { known.rules.remove(at: 3) }
        }
    }
}
