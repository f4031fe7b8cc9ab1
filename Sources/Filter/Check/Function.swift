/// The functions of the language.
enum Function: String, CaseIterable, Sendable {
    case size, startsWith, endsWith, contains, matches
    case bool, bytes, double, duration, dyn, int, string, timestamp, type, uint

    /// Whether it may be written `f(x)`.
    var isGlobal: Bool {
        switch self {
        case .startsWith, .endsWith, .contains: false
        default: true
        }
    }

    /// Whether it may be written `x.f()`.
    var isMember: Bool {
        switch self {
        case .size, .startsWith, .endsWith, .contains, .matches: true
        default: false
        }
    }

    /// How many values it takes, a receiver counted.
    var arity: Int {
        switch self {
        case .startsWith, .endsWith, .contains, .matches: 2
        default: 1
        }
    }

    /// How it is written, for a person who got it wrong.
    func usage(on receiver: String? = nil) -> String {
        let value = receiver ?? "x"
        return switch self {
        case .size: receiver.map { "\($0).size()" } ?? "size(x)"
        case .startsWith, .endsWith, .contains: "\(value).\(rawValue)(\"text\")"
        case .matches: "\(value).matches(\"regular expression\")"
        case .duration: "duration(\"1h30m\")"
        case .timestamp: "timestamp(\"2024-01-31T12:00:00Z\")"
        default: "\(rawValue)(\(value))"
        }
    }

    /// The types it takes, each tried from left to right, with what it makes of them.
    var overloads: [(parameters: [StaticType], result: StaticType)] {
        switch self {
        case .size: [([.string], .int), ([.bytes], .int), ([.list(.dynamic)], .int)]
        case .startsWith, .endsWith, .contains, .matches: [([.string, .string], .bool)]
        case .bool: [([.bool], .bool), ([.string], .bool)]
        case .bytes: [([.bytes], .bytes), ([.string], .bytes)]
        case .double: [([.double], .double), ([.int], .double), ([.uint], .double), ([.string], .double)]
        case .duration: [([.duration], .duration), ([.string], .duration)]
        case .dyn: [([.dynamic], .dynamic)]
        case .int:
            [
                ([.int], .int), ([.uint], .int), ([.double], .int), ([.string], .int), ([.timestamp], .int),
                ([.duration], .int),
            ]
        case .string:
            [
                ([.string], .string), ([.bytes], .string), ([.bool], .string), ([.int], .string), ([.uint], .string),
                ([.double], .string), ([.timestamp], .string), ([.duration], .string),
            ]
        case .timestamp: [([.timestamp], .timestamp), ([.string], .timestamp), ([.int], .timestamp)]
        case .type: [([.dynamic], .type)]
        case .uint: [([.uint], .uint), ([.int], .uint), ([.double], .uint), ([.string], .uint)]
        }
    }

    /// The types one of its parameters may have, for a person.
    func expected(at index: Int) -> String {
        var phrases: [String] = []
        for overload in overloads where overload.parameters[index] != .dynamic {
            let phrase = overload.parameters[index].phrase()
            if !phrases.contains(phrase) { phrases.append(phrase) }
        }
        guard let last = phrases.popLast() else { return "any value" }
        return phrases.isEmpty ? last : phrases.joined(separator: ", ") + " or " + last
    }
}
