import Bus

/// The subscriptions of a connection, the rules that the bus has for them, and the owners of the names that they
/// listen to. On the connection's thread.
///
/// The bus takes a connection's requests in their order and answers in that order. Messages that it sends after an
/// answer were sent after it. So three requests in a row find the owner of a name without a race, and none waits for
/// another: the rule for changes of the owner, the question for the present owner, and the subscription's own rule.
/// Messages after the last answer find the owner known.
final class DBusListeners {
    private final class Rule {
        var users: Set<UInt64> = []
        var isTaken = false
    }

    private struct Listener {
        let match: DBusMatch
        let rule: String
        let target: any DBusListening
        var isActive = false
    }

    private var listeners: [UInt64: Listener] = [:]
    private var index = DBusListenerIndex()
    private var rules: [String: Rule] = [:]
    private var owners: [String: DBusOwner] = [:]
    private let isBus: Bool

    init(isBus: Bool) {
        self.isBus = isBus
    }

    func add(
        _ number: UInt64,
        _ match: DBusMatch,
        _ target: any DBusListening,
        _ output: DBusOutput,
        _ calls: inout DBusCalls
    ) {
        guard target.isWanted else { return }
        let text = match.rule
        listeners[number] = Listener(match: match, rule: text, target: target)
        index.add(number, match)
        guard isBus else {
            // The other end has no rules, and sends any message.
            listeners[number]?.isActive = true
            return
        }
        if match.isSenderFollowed, let name = match.sender { follow(name, number, output, &calls) }
        // The rule that follows the sender may have failed at once.
        guard listeners[number] != nil else { return }
        if let rule = rules[text] {
            rule.users.insert(number)
            listeners[number]?.isActive = rule.isTaken
            return
        }
        let rule = Rule()
        rule.users.insert(number)
        rules[text] = rule
        ask("AddMatch", text, output, &calls) { [self] result in
            switch result {
            case .success:
                rule.isTaken = true
                for number in rule.users { listeners[number]?.isActive = true }
            case .failure(let error):
                if rules[text] === rule { rules[text] = nil }
                for number in rule.users.sorted() { end(number, error.reason, output) }
            }
        }
    }

    func remove(_ number: UInt64, _ output: DBusOutput) {
        guard let listener = drop(number) else { return }
        unfollow(listener.match, number, output)
        guard let rule = rules[listener.rule] else { return }
        rule.users.remove(number)
        guard rule.users.isEmpty else { return }
        rules[listener.rule] = nil
        withdraw(listener.rule, output)
    }

    /// Ends one subscription whose rule, or the rule that follows its sender, was refused.
    private func end(_ number: UInt64, _ reason: DBusError.Reason, _ output: DBusOutput) {
        guard let listener = listeners[number] else { return }
        remove(number, output)
        listener.target.fail(DBusError(reason, "listen to \(listener.rule)"))
    }

    /// Hands a signal to the subscriptions that it matches. Its arguments are read once, and not at all if there are
    /// none.
    func hear(_ header: DBusMessage, _ reading: MessageReading) {
        let isOwnerChange = header.sender == DBusNames.bus && header.member == "NameOwnerChanged"
        var header = header
        let meant = index.candidates(header.member).filter { number in
            guard let listener = listeners[number], listener.isActive else { return false }
            let owner = listener.match.sender.flatMap { owners[$0]?.unique }
            guard listener.match.meansHeader(of: header, owner: owner) else { return false }
            header.senderName = listener.match.followedSender
            return listener.target.admits(header)
        }
        guard isOwnerChange || !meant.isEmpty else { return }
        var message = header
        do throws(DBusReadError) {
            message.arguments = try reading.arguments()
        } catch {
            // A signal that cannot be read counts as lost.
            for number in meant { listeners[number]?.target.miss(1) }
            return
        }
        if isOwnerChange { note(message) }
        for number in meant {
            guard let listener = listeners[number], listener.match.meansArguments(of: message) else { continue }
            message.senderName = listener.match.followedSender
            listener.target.hear(message)
        }
    }

    func fail(_ reason: DBusError.Reason) {
        let left = listeners.sorted { $0.key < $1.key }.map(\.value)
        (listeners, index, rules, owners) = ([:], DBusListenerIndex(), [:], [:])
        for listener in left { listener.target.fail(DBusError(reason, "listen to \(listener.rule)")) }
    }

    private func drop(_ number: UInt64) -> Listener? {
        guard let listener = listeners.removeValue(forKey: number) else { return nil }
        index.remove(number, listener.match)
        return listener
    }

    private func follow(_ name: String, _ number: UInt64, _ output: DBusOutput, _ calls: inout DBusCalls) {
        if let owner = owners[name] {
            owner.users.insert(number)
            return
        }
        let owner = DBusOwner()
        owner.users.insert(number)
        owners[name] = owner
        ask("AddMatch", DBusOwner.rule(for: name), output, &calls) { [self] result in
            guard case .failure(let error) = result else { return }
            if owners[name] === owner { owners[name] = nil }
            for number in owner.users.sorted() { end(number, error.reason, output) }
        }
        ask("GetNameOwner", name, output, &calls) { result in
            // An error means that nobody owns it.
            owner.unique = (try? result.get())?.text
        }
    }

    private func unfollow(_ match: DBusMatch, _ number: UInt64, _ output: DBusOutput) {
        guard match.isSenderFollowed, let name = match.sender, let owner = owners[name] else { return }
        owner.users.remove(number)
        guard owner.users.isEmpty else { return }
        owners[name] = nil
        withdraw(DBusOwner.rule(for: name), output)
    }

    private func note(_ change: DBusMessage) {
        guard change.arguments.count == 3, let name = change.arguments[0].text, let owner = owners[name] else { return }
        let unique = change.arguments[2].text ?? ""
        owner.unique = unique.isEmpty ? nil : unique
    }

    private func ask(
        _ member: String,
        _ argument: String,
        _ output: DBusOutput,
        _ calls: inout DBusCalls,
        _ answer: @escaping (Result<DBusMessage, DBusError>) -> Void
    ) {
        // Called on this thread, as everything here.
        nonisolated(unsafe) let answer = answer
        calls.begin(nil, .bus(member, [.string(argument)]), { answer($0) }, output)
    }

    private func withdraw(_ rule: String, _ output: DBusOutput) {
        guard isBus else { return }
        do throws(DBusError) {
            _ = try output.send(.bus("RemoveMatch", [.string(rule)]))
        } catch {
            // The connection is lost, and its rules with it.
        }
    }
}
