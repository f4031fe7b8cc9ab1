extension Program {
    /// Arithmetic on numbers of one kind and on times, and the joins of `+`. Integers never wrap around.
    @inline(never)
    func arithmetic(
        _ operation: Instruction.Operation,
        _ left: Value,
        _ right: Value,
        _ index: Int32,
        _ state: inout Evaluation
    ) -> Value {
        switch (left, right) {
        case (.int(let left), .int(let right)): return integers(operation, left, right, .int, index, Value.int)
        case (.uint(let left), .uint(let right)): return integers(operation, left, right, .uint, index, Value.uint)
        case (.double(let left), .double(let right)) where operation != .remainder:
            switch operation {
            case .add: return .double(left + right)
            case .subtract: return .double(left - right)
            case .multiply: return .double(left * right)
            default: return .double(left / right)
            }
        case (.string(let first), .string(let second)) where operation == .add:
            return joined(first, second, index, &state, Value.string)
        case (.bytes(let first), .bytes(let second)) where operation == .add:
            return joined(first, second, index, &state, Value.bytes)
        case (.list(let first), .list(let second)) where operation == .add:
            guard state.arena.mayHold((first.count + second.count) * MemoryLayout<Value>.stride) else {
                return .error(fault(.tooLarge, .list, .list, index))
            }
            guard state.allowance.pay(first.count + second.count) else { return failure(.tooCostly, index) }
            return .list(state.arena.list(Array(first) + Array(second)))
        default: return times(operation, left, right, index)
        }
    }

    private func integers<Number: FixedWidthInteger>(
        _ operation: Instruction.Operation,
        _ left: Number,
        _ right: Number,
        _ kind: ValueKind,
        _ index: Int32,
        _ wrap: (Number) -> Value
    ) -> Value {
        let result: (partialValue: Number, overflow: Bool)
        switch operation {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        case _ where right == 0: return .error(fault(.divisionByZero, kind, kind, index))
        case .divide: result = left.dividedReportingOverflow(by: right)
        default: result = left.remainderReportingOverflow(dividingBy: right)
        }
        return result.overflow ? .error(fault(.overflow, kind, kind, index)) : wrap(result.partialValue)
    }

    private func times(_ operation: Instruction.Operation, _ left: Value, _ right: Value, _ index: Int32) -> Value {
        let result: Value?
        switch (operation, left, right) {
        case (.add, .timestamp(let time), .duration(let amount)), (.add, .duration(let amount), .timestamp(let time)):
            result = time.advanced(byNanoseconds: amount).map(Value.timestamp)
        case (.subtract, .timestamp(let time), .duration(let amount)):
            // The least duration has no opposite; going back its two halves does the same.
            let half = time.advanced(byNanoseconds: -(amount / 2))
            result = half?.advanced(byNanoseconds: -(amount - amount / 2)).map(Value.timestamp)
        case (.subtract, .timestamp(let time), .timestamp(let earlier)):
            result = time.since(earlier).map(Value.duration)
        case (.add, .duration(let first), .duration(let second)):
            let (sum, overflow) = first.addingReportingOverflow(second)
            result = overflow ? nil : .duration(sum)
        case (.subtract, .duration(let first), .duration(let second)):
            let (difference, overflow) = first.subtractingReportingOverflow(second)
            result = overflow ? nil : .duration(difference)
        default: return noOverload(left, right, index)
        }
        return result ?? .error(fault(.outOfRange, left.kind, right.kind, index))
    }

    private func joined(
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer,
        _ index: Int32,
        _ state: inout Evaluation,
        _ wrap: (UnsafeRawBufferPointer) -> Value
    ) -> Value {
        let count = first.count + second.count
        guard state.arena.mayHold(count) else { return .error(fault(.tooLarge, .string, .string, index)) }
        guard state.allowance.payForText(count) else { return failure(.tooCostly, index) }
        let text = state.arena.text(count: count) { target in
            target.copyBytes(from: first)
            UnsafeMutableRawBufferPointer(rebasing: target[first.count...]).copyBytes(from: second)
        }
        return wrap(text)
    }
}
