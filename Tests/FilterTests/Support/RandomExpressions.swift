@testable import Filter
import TestSupport

/// Random expressions of every form, as the printer writes and the parser reads them.
struct RandomExpressions {
    var random: SeededGenerator

    private static let names = ["a", "priority", "record", "_X", "x1", "and", "or", "size"]
    private static let members = ["a", "for", "b c", "in", "true", "content-type", "and", "or", "not", "x/y.z", "null"]
    private static let functions = ["size", "f", "matches", "all", "map", "has", "exists_one", "or", "in_"]
    private static let texts = [
        "", "a", "\"", "'", "\\", "\n\r\t", "\u{0}\u{7F}\u{85}", "é", "日本", "🐱", "\u{202E}", "\\n", "`", "a\u{301}",
    ]

    mutating func expression(_ depth: Int) -> Expression {
        func part() -> Expression { expression(depth - 1) }
        guard depth > 0 else { return leaf() }
        switch Int.random(in: 0..<16, using: &random) {
        case 0:
            return node(
                .select(
                    part(),
                    member: random.pick(Self.members),
                    memberRange: Self.nowhere,
                    isOptional: Bool.random(using: &random)
                )
            )
        case 1: return node(.index(part(), part(), isOptional: Bool.random(using: &random)))
        case 2:
            return node(
                .call(
                    name: random.pick(Self.functions),
                    nameRange: Self.nowhere,
                    receiver: Bool.random(using: &random) ? part() : nil,
                    arguments: (0..<Int.random(in: 0...3, using: &random)).map { _ in part() }
                )
            )
        case 3:
            let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Expression.ListElement(value: part(), isOptional: Int.random(in: 0..<4, using: &random) == 0)
            }
            return node(.list(elements))
        case 4:
            let entries = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Expression.MapEntry(
                    key: part(),
                    value: part(),
                    isOptional: Int.random(in: 0..<4, using: &random) == 0
                )
            }
            return node(.map(entries))
        // The parser joins more than two of the same sign, so no more are made.
        case 5: return node(.not(unless(part()) { if case .not = $0 { true } else { false } }))
        case 6: return node(.negate(unless(part()) { if case .negate = $0 { true } else { false } }))
        case 7: return node(.and((0..<Int.random(in: 2...4, using: &random)).map { _ in part() }))
        case 8: return node(.or((0..<Int.random(in: 2...4, using: &random)).map { _ in part() }))
        case 9: return node(.conditional(part(), then: part(), otherwise: part()))
        default:
            let infix = random.pick(BinaryOperator.allCases)
            return node(.binary(infix, operatorRange: Self.nowhere, part(), part()))
        }
    }

    private static let nowhere = SourceRange(0, 0)

    private func node(_ kind: Expression.Kind) -> Expression {
        Expression(kind: kind, range: Self.nowhere, height: 1)
    }

    private mutating func unless(_ operand: Expression, _ isUnwanted: (Expression.Kind) -> Bool) -> Expression {
        isUnwanted(operand.kind) ? leaf() : operand
    }

    private mutating func leaf() -> Expression {
        let text = Array(random.pick(Self.texts).utf8)
        let literal: Literal
        switch Int.random(in: 0..<11, using: &random) {
        case 0: literal = .null
        case 1: literal = .bool(Bool.random(using: &random))
        case 2: literal = .int(random.pick([0, 1, -1, .max, .min, 42]))
        case 3: literal = .uint(random.pick([0, 1, .max]))
        case 4: literal = .double(random.pick([0, -0.0, 1.5, -2.25, 1e300, 2.5e-300, .pi, 1e20, -1e-7, 123_456_789]))
        case 5: literal = .string(text)
        case 6: literal = .bytes(text + [UInt8.random(in: 0...255, using: &random)])
        case 7: return node(.name(random.pick(Self.names), isAbsolute: true))
        default: return node(.name(random.pick(Self.names), isAbsolute: false))
        }
        return node(.literal(literal))
    }
}

/// Whether the two are equal, wherever their parts are in the text.
func sameTree(_ left: Expression, _ right: Expression) -> Bool {
    func all(_ left: [Expression], _ right: [Expression]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { sameTree($0, $1) }
    }
    switch (left.kind, right.kind) {
    case (.literal(.double(let one)), .literal(.double(let other))): return one.bitPattern == other.bitPattern
    case (.literal(let one), .literal(let other)): return one == other
    case (.name(let one, let oneIsAbsolute), .name(let other, let otherIsAbsolute)):
        return one == other && oneIsAbsolute == otherIsAbsolute
    case (.select(let one, let oneMember, _, let oneIsOptional), .select(let other, let member, _, let isOptional)):
        return oneMember == member && oneIsOptional == isOptional && sameTree(one, other)
    case (.index(let one, let oneKey, let oneIsOptional), .index(let other, let key, let isOptional)):
        return oneIsOptional == isOptional && sameTree(one, other) && sameTree(oneKey, key)
    case (.call(let oneName, _, let one, let oneArguments), .call(let name, _, let other, let arguments)):
        return oneName == name && all([one].compactMap { $0 }, [other].compactMap { $0 })
            && all(oneArguments, arguments)
    case (.list(let one), .list(let other)):
        return one.map(\.isOptional) == other.map(\.isOptional) && all(one.map(\.value), other.map(\.value))
    case (.map(let one), .map(let other)):
        return one.map(\.isOptional) == other.map(\.isOptional) && all(one.map(\.key), other.map(\.key))
            && all(one.map(\.value), other.map(\.value))
    case (.not(let one), .not(let other)), (.negate(let one), .negate(let other)): return sameTree(one, other)
    case (.binary(let oneSign, _, let one, let first), .binary(let sign, _, let other, let second)):
        return oneSign == sign && sameTree(one, other) && sameTree(first, second)
    case (.and(let one), .and(let other)), (.or(let one), .or(let other)): return all(one, other)
    case (.conditional(let one, let first, let third), .conditional(let other, let second, let fourth)):
        return sameTree(one, other) && sameTree(first, second) && sameTree(third, fourth)
    default: return false
    }
}
