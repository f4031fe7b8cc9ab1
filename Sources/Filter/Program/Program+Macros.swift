extension Program {
    @inline(never)
    func bind(_ instruction: Instruction, _ state: inout Evaluation, _ read: Reader) -> Value {
        let first = Int(instruction.a)
        // An error is kept, too: it counts only where the variable is used.
        let value = evaluate(operands[first + 1], &state, read)
        state[operands[first]] = value
        return evaluate(operands[first + 2], &state, read)
    }

    /// `optMap` and `optFlatMap`.
    @inline(never)
    func mapOptional(_ instruction: Instruction, _ index: Int32, _ state: inout Evaluation, _ read: Reader) -> Value {
        let first = Int(instruction.a)
        let target = evaluate(operands[first + 1], &state, read)
        if case .error = target { return target }
        guard case .optional(let content) = target else { return failure(.notOptional, index, target) }
        guard let content else { return target }
        state[operands[first]] = content.pointee
        let result = evaluate(operands[first + 2], &state, read)
        if case .error = result { return result }
        if instruction.operation == .mapOptional {
            guard state.arena.mayHold(MemoryLayout<Value>.stride) else { return failure(.tooLarge, index) }
            return .optional(state.arena.boxed(result))
        }
        if case .optional = result { return result }
        return failure(.notOptional, index, result)
    }

    @inline(never)
    func loop(_ instruction: Instruction, _ index: Int32, _ state: inout Evaluation, _ read: Reader) -> Value {
        let first = Int(instruction.a)
        let range = evaluate(operands[first], &state, read)
        let elements: UnsafeBufferPointer<Value>
        let isMap: Bool
        switch range {
        case .error: return range
        case .list(let list): (elements, isMap) = (list, false)
        case .map(let entries): (elements, isMap) = (entries, true)
        default: return failure(.noOverload, index, range)
        }
        var gathering = LoopGathering(Loop.Result(rawValue: UInt8(operands[first + 1])) ?? .all)
        let (slot, second) = (operands[first + 2], operands[first + 3])
        let (filter, body) = (operands[first + 4], operands[first + 5])
        for position in stride(from: 0, to: elements.count, by: isMap ? 2 : 1) {
            guard state.allowance.pay(1) else { return failure(.tooCostly, index) }
            let key: Value = isMap || second < 0 ? elements[position] : .int(Int64(position))
            state[slot] = key
            if second >= 0 { state[second] = elements[isMap ? position + 1 : position] }
            if filter >= 0 {
                switch evaluate(filter, &state, read) {
                case .bool(true): break
                case .bool(false): continue
                case .error(let fault): return .error(fault)
                case let other: return failure(.notBoolean, index, other)
                }
            }
            switch gathering.take(evaluate(body, &state, read), key, state.arena) {
            case .goOn: continue
            case .decided(let value): return value
            case .failed(let code, let value): return failure(code, index, value)
            }
        }
        return gathered(gathering, index, &state)
    }

    private func gathered(_ gathering: LoopGathering, _ index: Int32, _ state: inout Evaluation) -> Value {
        if let held = gathering.held {
            if case .error = held { return held }
            return failure(.notBoolean, index, held)
        }
        switch gathering.result {
        case .all: return .bool(true)
        case .exists: return .bool(false)
        case .existsOne: return .bool(gathering.hits == 1)
        case .map, .filter: return .list(state.arena.list(gathering.values))
        case .mapValues, .mapEntries: return map(gathering.values, index, &state)
        }
    }
}
