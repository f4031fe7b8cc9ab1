import Bus

/// One sign of a marble line, independent of the signal's type of values.
enum Marble: Hashable, Sendable {
    /// A value, as it is written.
    case value(String)
    case completed
    /// A failure, by its description.
    case failed(String)
    /// The beginning of a subscription.
    case subscribed
    /// The disposal of a subscription.
    case disposed

    /// The sign for an event of a signal whose values and failures have descriptions.
    init<Value, Failure>(_ event: Event<Value, Failure>) {
        switch event {
        case .next(let value): self = .value("\(value)")
        case .completed: self = .completed
        case .failed(let failure): self = .failed("\(failure)")
        }
    }

    var isEnd: Bool {
        switch self {
        case .completed, .failed: true
        case .value, .subscribed, .disposed: false
        }
    }

    /// The sign as it is drawn.
    var text: String {
        switch self {
        case .value(let text): text.count == 1 && !text.contains(where: Self.signs.contains) ? text : "'\(text)'"
        case .completed: "|"
        case .failed("x"): "x"
        case .failed(let text): "x'\(text)'"
        case .subscribed: "^"
        case .disposed: "!"
        }
    }

    /// Characters that are signs by themselves, and so cannot be values without quotes.
    private static let signs: Set<Character> = ["-", "|", "x", "(", ")", "^", "!", "'", " "]
}
