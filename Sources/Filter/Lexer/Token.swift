/// One word of the expression.
struct Token: Equatable {
    let kind: Kind
    let range: SourceRange

    enum Kind: Equatable {
        case end
        /// Any name, including reserved words, `true`, `in` and `and`: only the parser knows the role of a name at
        /// its place.
        case name(String)
        /// A name between backticks, which may hold dots, dashes, slashes and blanks.
        case quotedName(String)
        /// Without a sign: only the parser knows whether a minus before it is its own.
        case integer(UInt64)
        case unsigned(UInt64)
        case double(Double)
        case string([UInt8])
        case bytes([UInt8])
        case symbol(Symbol)
    }

    enum Symbol: String {
        case leftParenthesis = "("
        case rightParenthesis = ")"
        case leftBracket = "["
        case rightBracket = "]"
        case leftBrace = "{"
        case rightBrace = "}"
        case dot = "."
        case comma = ","
        case colon = ":"
        case question = "?"
        case not = "!"
        case plus = "+"
        case minus = "-"
        case star = "*"
        case slash = "/"
        case percent = "%"
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case equal = "=="
        case notEqual = "!="
        case matches = "=~"
        case doesNotMatch = "!~"
        case and = "&&"
        case or = "||"
    }

    func `is`(_ symbol: Symbol) -> Bool {
        kind == .symbol(symbol)
    }

    /// Whether the token is this word, used as an operator.
    func isWord(_ word: String) -> Bool {
        kind == .name(word)
    }

    /// Whether an operand can begin here and nothing else can. This decides whether the word before is an operator.
    var surelyBeginsOperand: Bool {
        switch kind {
        case .integer, .unsigned, .double, .string, .bytes, .symbol(.leftParenthesis), .symbol(.not): true
        case .name(let name): !["in", "and", "or"].contains(name)
        default: false
        }
    }
}
