extension Program {
    /// Evaluates the arguments from left to right and calls the function with them.
    @inline(never)
    func call(_ instruction: Instruction, _ index: Int32, _ state: inout Evaluation, _ read: Reader) -> Value {
        let count = Int(instruction.b)
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: max(1, count)) { arguments in
            for place in 0..<count {
                let argument = evaluate(operands[Int(instruction.a) + place], &state, read)
                if case .error = argument { return argument }
                arguments.initializeElement(at: place, to: argument)
            }
            let arguments = UnsafeBufferPointer(rebasing: arguments[..<count])
            switch result(instruction.function, arguments, &state) {
            case .success(let value): return value
            case .failure(let code):
                return failure(code, index, arguments.first ?? .null, count > 1 ? arguments[1] : .null)
            }
        }
    }

    private func result(
        _ function: Function,
        _ arguments: UnsafeBufferPointer<Value>,
        _ state: inout Evaluation
    ) -> CallResult {
        switch function {
        case .size, .bool, .bytes, .double, .duration, .dyn, .int, .string, .timestamp, .type, .uint:
            return CoreFunctions.call(function, arguments[0], &state)
        case .startsWith, .endsWith, .contains, .matches:
            // These have operations of their own.
            return .failure(.noOverload)
        case .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear, .getFullYear, .getHours, .getMilliseconds,
            .getMinutes, .getMonth, .getSeconds:
            return CalendarFunctions.call(function, arguments, &state)
        case .charAt, .format, .indexOf, .join, .lastIndexOf, .lowerAscii, .replace, .reverse, .split, .substring,
            .trim, .upperAscii, .quote:
            return TextFunctions.call(function, arguments, &state)
        case .base64Decode, .base64Encode: return Base64.call(function, arguments[0], &state)
        case .greatest, .least, .ceil, .floor, .round, .trunc, .abs, .sign, .sqrt, .isNaN, .isInf, .isFinite:
            return MathFunctions.call(function, arguments, &state)
        case .bitAnd, .bitOr, .bitXor, .bitNot, .bitShiftLeft, .bitShiftRight:
            return BitFunctions.call(function, arguments)
        case .ip, .cidr, .isIP, .isCIDR, .isCanonical, .family, .isUnspecified, .isLoopback, .isGlobalUnicast,
            .isLinkLocalMulticast, .isLinkLocalUnicast, .containsIP, .containsCIDR, .masked, .prefixLength:
            return NetworkFunctions.call(function, arguments, &state)
        case .optionalOf, .optionalOfNonZero, .optionalNone, .unwrap, .unwrapOpt, .hasValue, .value, .or, .orValue,
            .first, .last:
            return OptionalFunctions.call(function, arguments, &state)
        }
    }
}
