/// The type of a value as far as it is known before any record is seen. A field's value may also be null, whatever
/// its type.
indirect enum StaticType: Hashable, Sendable {
    case dynamic
    case null
    case bool
    case int
    case uint
    case double
    case string
    case bytes
    case timestamp
    case duration
    case type
    case ip
    case cidr
    case list(StaticType)
    case map(StaticType, StaticType)
    case optional(StaticType)
    /// Stands for any one type in a function's parameters, and for the same type in its result.
    case placeholder

    init(_ field: FieldType) {
        switch field {
        case .dynamic: self = .dynamic
        case .bool: self = .bool
        case .int: self = .int
        case .uint: self = .uint
        case .double: self = .double
        case .string: self = .string
        case .bytes: self = .bytes
        case .timestamp: self = .timestamp
        case .duration: self = .duration
        }
    }

    init(_ value: OwnedValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .bool
        case .int: self = .int
        case .uint: self = .uint
        case .double: self = .double
        case .string: self = .string
        case .bytes: self = .bytes
        case .timestamp: self = .timestamp
        case .duration: self = .duration
        case .type: self = .type
        case .list(let elements): self = .list(StaticType.common(elements.map(StaticType.init)))
        case .map(let entries):
            let types = entries.map(StaticType.init)
            let keys = stride(from: 0, to: types.count, by: 2)
            self = .map(.common(keys.map { types[$0] }), .common(keys.map { types[$0 + 1] }))
        case .optional(let content): self = .optional(content.map(StaticType.init) ?? .dynamic)
        case .ip: self = .ip
        case .cidr: self = .cidr
        }
    }

    /// The type that all have, or `dynamic`. An empty list counts as a list of the others' elements.
    static func common(_ types: [StaticType]) -> StaticType {
        guard let first = types.first else { return .dynamic }
        return types.dropFirst().reduce(first) { $0.joined(with: $1) }
    }

    /// Types are compared so many levels deep. Beyond, they count as unknown: a type may be as deep as an expression,
    /// and a variable of that type may be named again and again.
    private static let depth = 16

    private func joined(with other: StaticType, depth: Int = depth) -> StaticType {
        guard depth > 0 else { return .dynamic }
        func join(_ left: StaticType, _ right: StaticType) -> StaticType { left.joined(with: right, depth: depth - 1) }
        return switch (self, other) {
        case (.list(let left), .list(let right)): .list(join(left, right))
        case (.map(let leftKey, let leftValue), .map(let rightKey, let rightValue)):
            .map(join(leftKey, rightKey), join(leftValue, rightValue))
        case (.optional(let left), .optional(let right)): .optional(join(left, right))
        default: self == other ? self : .dynamic
        }
    }

    var isNumber: Bool {
        self == .int || self == .uint || self == .double
    }

    var isList: Bool {
        if case .list = self { true } else { false }
    }

    var isMap: Bool {
        if case .map = self { true } else { false }
    }

    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// Whether `==` between the two can be true, or cannot be judged yet.
    func canEqual(_ other: StaticType, depth: Int = depth) -> Bool {
        switch (self, other) {
        case _ where depth == 0: true
        case (.dynamic, _), (_, .dynamic), (.null, _), (_, .null): true
        case (.list(let left), .list(let right)), (.optional(let left), .optional(let right)):
            left.canEqual(right, depth: depth - 1)
        case (.map(let leftKey, let leftValue), .map(let rightKey, let rightValue)):
            leftKey.canEqual(rightKey, depth: depth - 1) && leftValue.canEqual(rightValue, depth: depth - 1)
        default: self == other || (isNumber && other.isNumber)
        }
    }

    /// Whether `<` between the two has a meaning, or cannot be judged yet.
    func canBeOrdered(with other: StaticType) -> Bool {
        switch (self, other) {
        case (.dynamic, _): other.isOrdered
        case (_, .dynamic): isOrdered
        default: isOrdered && (self == other || (isNumber && other.isNumber))
        }
    }

    private var isOrdered: Bool {
        switch self {
        case .null, .list, .map, .optional, .type, .ip, .cidr: false
        default: true
        }
    }

    /// Whether a value of the other type may be given where this one is taken. `placeholder` becomes the type that was
    /// first given for it.
    func accepts(_ other: StaticType, _ placeholder: inout StaticType?) -> Bool {
        switch (self, other) {
        case (.placeholder, _):
            guard let known = placeholder else {
                placeholder = other
                return true
            }
            placeholder = known.joined(with: other)
            return known == .dynamic || known.canEqual(other)
        case (.dynamic, _), (_, .dynamic): return true
        case (.list(let own), .list(let given)), (.optional(let own), .optional(let given)):
            return own.accepts(given, &placeholder)
        case (.map(let ownKey, let ownValue), .map(let key, let value)):
            return ownKey.accepts(key, &placeholder) && ownValue.accepts(value, &placeholder)
        default: return self == other
        }
    }

    /// The type with the placeholder replaced.
    func replacing(_ placeholder: StaticType?) -> StaticType {
        switch self {
        case .placeholder: placeholder ?? .dynamic
        case .list(let element): .list(element.replacing(placeholder))
        case .optional(let content): .optional(content.replacing(placeholder))
        case .map(let key, let value): .map(key.replacing(placeholder), value.replacing(placeholder))
        default: self
        }
    }

    /// As `explain` writes it.
    var name: String { name(depth: Self.depth) }

    private func name(depth: Int) -> String {
        func inner(_ type: StaticType) -> String { depth > 0 ? type.name(depth: depth - 1) : "…" }
        return switch self {
        case .dynamic, .placeholder: "dyn"
        case .null: "null"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .type: "type"
        case .ip: "net.IP"
        case .cidr: "net.CIDR"
        case .list(let element): "list(\(inner(element)))"
        case .map(let key, let value): "map(\(inner(key)), \(inner(value)))"
        case .optional(let content): "optional(\(inner(content)))"
        }
    }

    /// A phrase for such a value. Kinds of numbers are distinguished only where that matters.
    func phrase(exact: Bool = false) -> String {
        switch self {
        case .dynamic, .placeholder: "a value of any type"
        case .null: "null"
        case .bool: "true or false"
        case .int: exact ? "a whole number" : "a number"
        case .uint: exact ? "an unsigned whole number" : "a number"
        case .double: exact ? "a floating-point number" : "a number"
        case .string: "text"
        case .bytes: "bytes"
        case .timestamp: "a time"
        case .duration: "a duration"
        case .type: "a type"
        case .list: "a list"
        case .map: "a map"
        case .optional: "an optional"
        case .ip: "an IP address"
        case .cidr: "a network"
        }
    }
}
