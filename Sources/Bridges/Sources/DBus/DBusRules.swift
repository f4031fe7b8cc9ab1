import DBusBridge
import Filter
import FilterBridge

/// The match rules by which a bus is asked only for messages that a filter may select, so that others are not even
/// sent.
struct DBusRules {
    /// A bus compares each message with each rule of each connection.
    private static let maxRules = 32

    /// The source's name.
    let source: String

    /// The choice with rules that leave out messages that the filter does not select, as far as rules can express it;
    /// the same choice where they cannot, and where the filter counts messages.
    func narrow(_ choice: DBusRecords, by filter: RecordFilter) -> DBusRecords {
        guard !filter.reads("sequence"), let wanted = rules(of: filter.filter.match) else { return choice }
        var rules = choice.matches.isEmpty ? wanted : Self.common(choice.matches, wanted)
        if !choice.isMonitoring { rules.removeAll { $0.kind ?? .signal != .signal } }
        guard !rules.isEmpty, rules.count <= Self.maxRules else { return choice }
        // A monitor learns the owners of names from them. The filter leaves them out again.
        if choice.isMonitoring, choice.matches.isEmpty { rules.append(DBusSession.ownerChanges) }
        return DBusRecords(choice.address, matching: rules, isMonitoring: choice.isMonitoring)
    }

    /// nil for all messages.
    private func rules(of match: Match) -> [DBusMatch]? {
        switch match {
        case .everything: return nil
        case .nothing: return []
        case .term(let field, let value): return rules(field, value)
        case .all(let parts):
            return parts.compactMap { rules(of: $0) }.reduce(nil) { known, more in
                guard let known else { return more }
                let both = Self.common(known, more)
                // One of the conditions without the other is enough.
                return both.count > Self.maxRules ? known : both
            }
        case .any(let parts):
            var rules: [DBusMatch] = []
            for part in parts {
                guard rules.count <= Self.maxRules, let more = self.rules(of: part) else { return nil }
                rules += more.filter { !rules.contains($0) }
            }
            return rules
        }
    }

    private func rules(_ field: String, _ value: [UInt8]) -> [DBusMatch]? {
        let text = String(decoding: value, as: UTF8.self)
        var match = DBusMatch(kind: nil)
        switch field {
        case "source": return text == source ? nil : []
        case "type":
            guard let kind = DBusMessage.Kind.allCases.first(where: { $0.word == text }) else { return [] }
            match.kind = kind
        case "path": match.path = text
        case "interface": match.interface = text
        case "member": match.member = text
        default: return nil
        }
        // No message has a value that no rule may have.
        return match.flaw == nil ? [match] : []
    }

    /// Rules for the messages that both select.
    private static func common(_ first: [DBusMatch], _ second: [DBusMatch]) -> [DBusMatch] {
        var rules: [DBusMatch] = []
        for first in first {
            for second in second {
                if let rule = common(first, second), !rules.contains(rule) { rules.append(rule) }
            }
        }
        return rules
    }

    /// - Parameter second: a rule that was made of a filter.
    private static func common(_ first: DBusMatch, _ second: DBusMatch) -> DBusMatch? {
        var rule = first
        guard join(&rule.kind, second.kind), join(&rule.interface, second.interface), join(&rule.member, second.member)
        else { return nil }
        // A rule has a path or a namespace.
        guard rule.pathNamespace != nil || join(&rule.path, second.path) else { return nil }
        return rule
    }

    private static func join<Value: Equatable>(_ known: inout Value?, _ other: Value?) -> Bool {
        guard let other else { return true }
        guard let present = known else {
            known = other
            return true
        }
        return present == other
    }
}
