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
    /// Elements of a list, or keys and values alternating.
    private(set) var values: [Value] = []

    init(_ result: Loop.Result) {
        self.result = result
    }

    /// Takes the body's result for the element or key, as far as the arena may hold the values.
    mutating func take(_ value: Value, _ key: Value, _ arena: borrowing Arena) -> Step {
        let added: Int
        switch (result, value) {
        case (.all, .bool(let holds)), (.exists, .bool(let holds)):
            let deciding = result == .exists
            return holds == deciding ? .decided(.bool(deciding)) : .goOn
        case (.all, _), (.exists, _):
            if held == nil { held = value }
            return .goOn
        case (_, .error): return .decided(value)
        case (.existsOne, .bool(let holds)):
            hits += holds ? 1 : 0
            return .goOn
        case (.filter, .bool(false)): return .goOn
        case (.filter, .bool(true)), (.map, _): added = 1
        case (.existsOne, _), (.filter, _): return .failed(.notBoolean, value)
        case (.mapValues, _): added = 2
        case (.mapEntries, .map(let entries)): added = entries.count
        case (.mapEntries, _): return .failed(.noOverload, value)
        }
        guard arena.mayHold(values: values.count + added) else { return .failed(.tooLarge, .null) }
        switch (result, value) {
        case (.filter, _): values.append(key)
        case (.mapValues, _): values += [key, value]
        case (.mapEntries, .map(let entries)): values += entries
        default: values.append(value)
        }
        return .goOn
    }
}
