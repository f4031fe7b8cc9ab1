/// Writes an expression out in one spelling: parsing the result gives the same tree.
struct ExpressionPrinter {
    private var text = ""

    static func print(_ expression: Expression) -> String {
        var printer = ExpressionPrinter()
        printer.write(expression, atLeast: .conditional)
        return printer.text
    }

    /// How tightly a kind of expression binds; looser ones need parentheses around them.
    private enum Tightness: Int {
        case conditional, or, and, comparison, sum, product, prefix, member
    }

    private static func tightness(_ kind: Expression.Kind) -> Tightness {
        switch kind {
        case .conditional: .conditional
        case .or: .or
        case .and: .and
        case .binary(let infix, _, _, _):
            switch infix.precedence {
            case 1: .comparison
            case 2: .sum
            default: .product
            }
        case .not, .negate, .literal(.int(..<0)): .prefix
        case .literal(.double(let value)): value.sign == .minus ? .prefix : .member
        default: .member
        }
    }

    private mutating func write(_ expression: Expression, atLeast needed: Tightness) {
        let needsParentheses = Self.tightness(expression.kind).rawValue < needed.rawValue
        if needsParentheses { text += "(" }
        write(expression.kind)
        if needsParentheses { text += ")" }
    }

    private mutating func write(_ kind: Expression.Kind) {
        switch kind {
        case .literal(let literal): text += LiteralText.print(literal)
        case .name(let name, let isAbsolute): text += (isAbsolute ? "." : "") + name
        case .select(let operand, let member, _, let isOptional):
            write(operand, atLeast: .member)
            text += (isOptional ? ".?" : ".") + Self.memberName(member)
        case .index(let operand, let key, let isOptional):
            write(operand, atLeast: .member)
            text += isOptional ? "[?" : "["
            write(key, atLeast: .conditional)
            text += "]"
        case .call(let name, _, let receiver, let arguments):
            if let receiver {
                write(receiver, atLeast: .member)
                text += "."
            }
            text += name
            write(arguments.map { ("", $0) }, between: "(", and: ")")
        case .list(let elements): write(elements.map { ($0.isOptional ? "?" : "", $0.value) }, between: "[", and: "]")
        case .map(let entries): write(entries)
        case .not(let operand): write("!", operand) { if case .not = $0 { true } else { false } }
        case .negate(let operand): write("-", operand) { if case .negate = $0 { true } else { false } }
        case .binary(let infix, _, let left, let right):
            let tightness = Self.tightness(kind)
            write(left, atLeast: tightness)
            text += " \(infix.rawValue) "
            write(right, atLeast: Tightness(rawValue: tightness.rawValue + 1) ?? .member)
        case .and(let terms): write(terms, joinedBy: " && ", atLeast: .comparison)
        case .or(let terms): write(terms, joinedBy: " || ", atLeast: .and)
        case .conditional(let condition, let then, let otherwise):
            write(condition, atLeast: .or)
            text += " ? "
            write(then, atLeast: .or)
            text += " : "
            write(otherwise, atLeast: .conditional)
        }
    }

    /// The same sign may stand twice; a different sign, or a number's own, needs parentheses.
    private mutating func write(_ sign: String, _ operand: Expression, repeats: (Expression.Kind) -> Bool) {
        text += sign
        if repeats(operand.kind) {
            write(operand, atLeast: .prefix)
        } else if sign == "-", Self.beginsWithNumber(operand) {
            text += "("
            write(operand, atLeast: .conditional)
            text += ")"
        } else {
            write(operand, atLeast: .member)
        }
    }

    /// A minus directly before it would become the number's own, as in `-5.f()`.
    private static func beginsWithNumber(_ expression: Expression) -> Bool {
        switch expression.kind {
        case .literal(.int), .literal(.double): true
        case .select(let operand, _, _, _), .index(let operand, _, _), .call(_, _, let operand?, _):
            beginsWithNumber(operand)
        default: false
        }
    }

    private mutating func write(_ terms: [Expression], joinedBy joint: String, atLeast needed: Tightness) {
        for (place, term) in terms.enumerated() {
            if place > 0 { text += joint }
            write(term, atLeast: needed)
        }
    }

    private mutating func write(
        _ elements: [(mark: String, value: Expression)],
        between opening: String,
        and closing: String
    ) {
        text += opening
        for (place, element) in elements.enumerated() {
            if place > 0 { text += ", " }
            text += element.mark
            write(element.value, atLeast: .conditional)
        }
        text += closing
    }

    private mutating func write(_ entries: [Expression.MapEntry]) {
        text += "{"
        for (place, entry) in entries.enumerated() {
            if place > 0 { text += ", " }
            if entry.isOptional { text += "?" }
            write(entry.key, atLeast: .conditional)
            text += ": "
            write(entry.value, atLeast: .conditional)
        }
        text += "}"
    }

    /// Between backticks where it could not stand by itself.
    private static func memberName(_ name: String) -> String {
        let bytes = Array(name.utf8)
        let isName = bytes.first.map(Lexer.beginsName) == true && bytes.allSatisfy { Lexer.continuesName($0) }
        return isName && !ReservedWords.literals.contains(name) ? name : "`\(name)`"
    }
}
