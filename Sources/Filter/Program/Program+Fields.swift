extension Program {
    /// A record's answer, as a value.
    @inline(__always)
    func value(_ field: FieldValue, _ index: Int32, _ state: inout Evaluation) -> Value {
        switch field {
        case .text(let bytes): .string(bytes)
        case .int(let value): .int(value)
        case .absent, .null: .null
        default: rareValue(field, index, &state)
        }
    }

    @inline(never)
    private func rareValue(_ field: FieldValue, _ index: Int32, _ state: inout Evaluation) -> Value {
        switch field {
        case .absent, .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .int(value)
        case .uint(let value): return .uint(value)
        case .double(let value): return .double(value)
        case .text(let bytes): return .string(bytes)
        case .bytes(let bytes): return .bytes(bytes)
        case .timestamp(let microseconds):
            // A clock beyond the year 9999 gives no time.
            return Timestamp(microseconds: microseconds).map(Value.timestamp) ?? .null
        case .duration(let nanoseconds): return .duration(nanoseconds)
        case .list(let elements): return list(elements, index, &state)
        case .map(let entries):
            let values = list(entries, index, &state)
            guard case .list(let elements) = values else { return values }
            return map(Array(elements.dropLast(elements.count % 2)), index, &state)
        case .json(let text):
            var reader = JSONReader(text)
            switch reader.read(&state.arena, &state.allowance) {
            case .success(let value): return value
            case .failure(let code): return failure(code, index)
            }
        }
    }

    private func list(_ elements: UnsafeBufferPointer<FieldValue>, _ index: Int32, _ state: inout Evaluation) -> Value {
        guard state.allowance.pay(elements.count) else { return failure(.tooCostly, index) }
        guard state.arena.mayHold(values: elements.count) else { return failure(.tooLarge, index) }
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            let value = value(element, index, &state)
            if case .error = value { return value }
            values.append(value)
        }
        return .list(state.arena.list(values))
    }

    /// `fields("NAME")`.
    @inline(never)
    func every(_ instruction: Instruction, _ index: Int32, _ state: inout Evaluation, _ read: Reader) -> Value {
        var values: [Value] = []
        while true {
            let field = read(fieldIDs[Int(instruction.a)], values.count)
            if case .absent = field { break }
            let value = value(field, index, &state)
            if case .error = value { return value }
            // A record may count to the field from its first.
            guard state.allowance.pay(1 + values.count) else { return failure(.tooCostly, index) }
            guard state.arena.mayHold(values: values.count + 1) else { return failure(.tooLarge, index) }
            values.append(value)
        }
        return .list(state.arena.list(values))
    }

    /// Whether any of the field's values equals the operand, or is in it. A record without the field is compared like
    /// a record whose field is null.
    func anyEqual(_ instruction: Instruction, _ index: Int32, _ state: inout Evaluation, _ read: Reader) -> Value {
        let operand = evaluate(instruction.b, &state, read)
        if case .error = operand { return operand }
        let id = fieldIDs[Int(instruction.a)]
        var count = 0
        while true {
            let field = read(id, count)
            if count > 0, case .absent = field { return .bool(false) }
            let value = value(field, index, &state)
            if case .error = value { return value }
            if instruction.operation == .anyEqual {
                if Comparison.equal(value, operand, &state.allowance) { return .bool(true) }
            } else {
                let found = member(value, of: operand, index, &state)
                guard case .bool(false) = found else { return found }
            }
            count += 1
            guard state.allowance.pay(1 + count) else { return failure(.tooCostly, index) }
        }
    }
}
