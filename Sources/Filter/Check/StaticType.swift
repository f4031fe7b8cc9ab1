/// What is known of a value's type before any record is seen. A field's value may also be null, whatever its type.
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
    case list(StaticType)

    init(_ field: FieldType) {
        switch field {
        case .dynamic: self = .dynamic
        case .bool: self = .bool
        case .int: self = .int
        case .uint: self = .uint
        case .double: self = .double
        case .string: self = .string
        case .timestamp: self = .timestamp
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
        }
    }

    /// The type all have, or `dynamic`.
    static func common(_ types: [StaticType]) -> StaticType {
        guard let first = types.first, types.dropFirst().allSatisfy({ $0 == first }) else { return .dynamic }
        return first
    }

    var isNumber: Bool {
        self == .int || self == .uint || self == .double
    }

    var isList: Bool {
        if case .list = self { true } else { false }
    }

    /// Whether `==` between the two can be true, or cannot be judged yet.
    func canEqual(_ other: StaticType) -> Bool {
        switch (self, other) {
        case (.dynamic, _), (_, .dynamic), (.null, _), (_, .null): true
        case (.list(let left), .list(let right)): left.canEqual(right)
        default: self == other || (isNumber && other.isNumber)
        }
    }

    /// Whether `<` between the two has a meaning, or cannot be judged yet.
    func canBeOrdered(with other: StaticType) -> Bool {
        switch (self, other) {
        case (.null, _), (_, .null), (.list, _), (_, .list), (.type, _), (_, .type): false
        case (.dynamic, _), (_, .dynamic): true
        default: self == other || (isNumber && other.isNumber)
        }
    }

    /// What a person calls such a value. Kinds of numbers are told apart only where that is the point.
    func phrase(exact: Bool = false) -> String {
        switch self {
        case .dynamic: "a value of any type"
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
        }
    }
}
