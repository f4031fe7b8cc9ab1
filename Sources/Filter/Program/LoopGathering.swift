/// The results of a loop's body so far.
struct LoopGathering {
    enum Step {
        case goOn
        /// The rest cannot change the result.
        case decided(Value)
        case failed(Fault.Code, Value)
    }

    let result: Loop.Result
    /// The first value of an `all` or `exists` that was neither true nor false; a deciding value may still come.
    private(set) var held: Value?
    private(set) var hits = 0
    /// Elements of a list, or keys and values by turns.
    private(set) var values: [Value] = []

    /// More values would not fit into the memory that an evaluation may take.
    private static let mostValues = 1 << 19

    init(_ result: Loop.Result) {
        self.result = result
    }

    /// Takes the body's result for the element or key.
    mutating func take(_ value: Value, _ key: Value) -> Step {
        switch (result, value) {
        case (.all, .bool(let holds)), (.exists, .bool(let holds)):
            let deciding = result == .exists
            return holds == deciding ? .decided(.bool(deciding)) : .goOn
        case (.all, _), (.exists, _):
            if held == nil { held = value }
        case (_, .error): return .decided(value)
        case (.existsOne, .bool(let holds)): hits += holds ? 1 : 0
        case (.filter, .bool(let holds)):
            if holds { values.append(key) }
        case (.existsOne, _), (.filter, _): return .failed(.notBoolean, value)
        case (.map, _): values.append(value)
        case (.mapValues, _): values += [key, value]
        case (.mapEntries, .map(let entries)): values += entries
        case (.mapEntries, _): return .failed(.noOverload, value)
        }
        return values.count > Self.mostValues ? .failed(.tooLarge, .null) : .goOn
    }
}
