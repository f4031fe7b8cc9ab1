@testable import Filter

/// An expression as nested lists, operator first, to show how it was grouped.
func outline(_ expression: Expression) -> String {
    func list(_ head: String, _ operands: [Expression]) -> String {
        "(" + ([head] + operands.map(outline)).joined(separator: " ") + ")"
    }
    switch expression.kind {
    case .literal(let literal):
        return switch literal {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .uint(let value): "\(value)u"
        case .double(let value): "\(value)"
        case .string(let content): "'" + String(decoding: content, as: UTF8.self) + "'"
        case .bytes(let content): "b\(content)"
        }
    case .name(let name, let isAbsolute): return isAbsolute ? ".\(name)" : name
    case .select(let operand, let member, _, let isOptional):
        return list("select.\(isOptional ? "?" : "")\(member)", [operand])
    case .index(let operand, let key, let isOptional): return list(isOptional ? "index?" : "index", [operand, key])
    case .call(let name, _, let receiver, let arguments):
        return receiver.map { list("call.\(name)", [$0] + arguments) } ?? list("call \(name)", arguments)
    case .list(let elements):
        return "(" + (["list"] + elements.map { ($0.isOptional ? "?" : "") + outline($0.value) }).joined(separator: " ")
            + ")"
    case .map(let entries):
        let parts = entries.flatMap { [($0.isOptional ? "?" : "") + outline($0.key), outline($0.value)] }
        return "(" + (["map"] + parts).joined(separator: " ") + ")"
    case .not(let operand): return list("!", [operand])
    case .negate(let operand): return list("-", [operand])
    case .binary(let infix, _, let left, let right): return list(infix.rawValue, [left, right])
    case .and(let terms): return list("&&", terms)
    case .or(let terms): return list("||", terms)
    case .conditional(let condition, let then, let otherwise): return list("?", [condition, then, otherwise])
    }
}

/// The grouping of the text, or the parser's message if it is refused.
func outline(of text: String) -> String {
    do throws(Complaint) {
        return outline(try Parser.parse(SourceText(text)))
    } catch {
        return "refused: \(error.message)"
    }
}
