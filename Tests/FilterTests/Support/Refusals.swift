import Testing

/// A wrong expression, and the complete message about it.
struct Refusal: Sendable, CustomTestStringConvertible {
    let expression: String
    let rendered: String

    init(_ expression: String, _ rendered: String) {
        self.expression = expression
        self.rendered = rendered
    }

    var testDescription: String { expression }
}

/// Every kind of wrong expression, with its complete message.
enum Refusals {
    static let all = syntax + names + types + language
}
