extension Program {
    @inline(never)
    func list(_ instruction: Instruction, _ index: Int32, _ state: inout Evaluation, _ read: Reader) -> Value {
        var elements: [Value] = []
        elements.reserveCapacity(Int(instruction.b))
        guard state.allowance.pay(10) else { return failure(.tooCostly, index) }
        for position in instruction.a..<(instruction.a + instruction.b) {
            let operand = operands[Int(position)]
            let element = evaluate(operand < 0 ? ~operand : operand, &state, read)
            switch element {
            case .error: return element
            case .optional(let content) where operand < 0:
                if let content { elements.append(content.pointee) }
            case _ where operand < 0: return failure(.notOptional, index, element)
            default: elements.append(element)
            }
        }
        guard state.arena.mayHold(elements.count * MemoryLayout<Value>.stride) else { return failure(.tooLarge, index) }
        return .list(state.arena.list(elements))
    }

    @inline(never)
    func map(_ instruction: Instruction, _ index: Int32, _ state: inout Evaluation, _ read: Reader) -> Value {
        var entries: [Value] = []
        entries.reserveCapacity(Int(instruction.b))
        guard state.allowance.pay(30) else { return failure(.tooCostly, index) }
        for position in stride(from: instruction.a, to: instruction.a + instruction.b, by: 2) {
            let key = evaluate(operands[Int(position)], &state, read)
            if case .error = key { return key }
            let operand = operands[Int(position) + 1]
            let value = evaluate(operand < 0 ? ~operand : operand, &state, read)
            switch value {
            case .error: return value
            case .optional(let content) where operand < 0:
                if let content { entries += [key, content.pointee] }
            case _ where operand < 0: return failure(.notOptional, index, value)
            default: entries += [key, value]
            }
        }
        return map(entries, index, &state)
    }

    /// A map of keys and values, alternating.
    func map(_ entries: [Value], _ index: Int32, _ state: inout Evaluation) -> Value {
        guard state.arena.mayHold(entries.count * MemoryLayout<Value>.stride) else { return failure(.tooLarge, index) }
        let (ordered, defect) = MapEntries.ordered(entries, &state.allowance)
        switch defect {
        case .unsupported(let place): return failure(.unsupportedKey, index, entries[2 * place])
        case .repeated(let place): return failure(.repeatedKey, index, entries[2 * place])
        case nil: return .map(state.arena.list(ordered))
        }
    }

    /// `element in container`.
    func member(_ element: Value, of container: Value, _ index: Int32, _ state: inout Evaluation) -> Value {
        switch container {
        case .list(let elements):
            for candidate in elements {
                if Comparison.equal(element, candidate, &state.allowance) { return .bool(true) }
                guard state.allowance.pay(1) else { return failure(.tooCostly, index) }
            }
            return .bool(false)
        case .map(let entries): return .bool(MapEntries.value(entries, element, &state.allowance) != nil)
        default: return failure(.noOverload, index, element, container)
        }
    }

    /// `container[key]`, `container[?key]`, `container.member`, `container.?member` and `has(container.member)`.
    func element(_ container: Value, _ key: Value, _ access: Term.Access, _ index: Int32, _ state: inout Evaluation)
        -> Value
    {
        guard case .optional(let content) = container else {
            switch found(container, key, &state) {
            case .failure(let code): return failure(code, index, container, key)
            case .success(let element): return answer(element, container, key, access, index, &state)
            }
        }
        // Looking up an optional's element gives an optional.
        let isPresence = if case .presence = access { true } else { false }
        guard let content else { return isPresence ? .bool(false) : .optional(nil) }
        switch found(content.pointee, key, &state) {
        case .failure(let code): return failure(code, index, content.pointee, key)
        case .success(let element):
            return answer(element, container, key, isPresence ? .presence : .optional, index, &state)
        }
    }

    private func answer(
        _ element: Value?,
        _ container: Value,
        _ key: Value,
        _ access: Term.Access,
        _ index: Int32,
        _ state: inout Evaluation
    ) -> Value {
        switch access {
        case .presence: return .bool(element != nil)
        case .required:
            if let element { return element }
            let isList = if case .list = container { true } else { false }
            return failure(isList ? .indexOutOfRange : .noSuchKey, index, container, key)
        case .optional:
            guard let element else { return .optional(nil) }
            guard state.arena.mayHold(MemoryLayout<Value>.stride) else { return failure(.tooLarge, index) }
            return .optional(state.arena.boxed(element))
        }
    }

    private enum Search {
        /// `nil`: there is no such element.
        case success(Value?)
        case failure(Fault.Code)
    }

    private func found(_ container: Value, _ key: Value, _ state: inout Evaluation) -> Search {
        switch (container, key) {
        case (.map(let entries), _): return .success(MapEntries.value(entries, key, &state.allowance))
        case (.list(let elements), _):
            let position: Int? =
                switch key {
                case .int(let value): Int(value)
                case .uint(let value): Int(exactly: value) ?? .max
                case .double(let value): Int(exactly: value)
                default: nil
                }
            guard let position else { return .failure(.noOverload) }
            return .success(elements.indices.contains(position) ? elements[position] : nil)
        case (_, .string): return .failure(.noMembers)
        default: return .failure(.noOverload)
        }
    }
}
