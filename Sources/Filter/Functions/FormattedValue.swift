/// A value as `%s` writes it.
enum FormattedValue {
    /// The reason why the value cannot be written; `nil` when it was.
    static func append(_ value: Value, to result: inout [UInt8], _ state: inout Evaluation) -> Fault.Code? {
        // Lists may share their parts, so the text of a list may be far larger than the list.
        guard state.allowance.pay(1) else { return .tooCostly }
        guard state.arena.mayHold(result.count) else { return .tooLarge }
        switch value {
        case .null: result += "null".utf8
        case .bool(let value): result += (value ? "true" : "false").utf8
        case .int(let value): result += String(value).utf8
        case .uint(let value): result += String(value).utf8
        case .string(let text), .bytes(let text):
            guard state.allowance.payForText(text.count) else { return .tooCostly }
            result += text
        case .type(let kind): result += kind.name.utf8
        case .list(let elements): return append(elements, to: &result, &state)
        case .map(let entries): return append(entries: entries, to: &result, &state)
        case .optional, .error: return .noOverload
        case _ where !state.allowance.pay(Conversion.writingCost): return .tooCostly
        case .double(let value): result += DoubleText.plain(value).utf8
        case .timestamp(let time): result += time.text.utf8
        case .duration(let nanoseconds): result += DurationText.format(nanoseconds).utf8
        case .ip(let address): result += NetworkText.format(address: address).utf8
        case .cidr(let network): result += NetworkText.format(network: network).utf8
        }
        return nil
    }

    private static func append(
        _ elements: UnsafeBufferPointer<Value>,
        to result: inout [UInt8],
        _ state: inout Evaluation
    ) -> Fault.Code? {
        defer { state.allowance.goOut() }
        guard state.allowance.goIn() else { return .tooCostly }
        result.append(UInt8(ascii: "["))
        for (place, element) in elements.enumerated() {
            if place > 0 { result += ", ".utf8 }
            if let code = append(element, to: &result, &state) { return code }
        }
        result.append(UInt8(ascii: "]"))
        return nil
    }

    /// By the keys' texts, which is the order that a reader expects.
    private static func append(
        entries: UnsafeBufferPointer<Value>,
        to result: inout [UInt8],
        _ state: inout Evaluation
    ) -> Fault.Code? {
        defer { state.allowance.goOut() }
        guard state.allowance.goIn() else { return .tooCostly }
        var keys: [(text: [UInt8], value: Value)] = []
        var held = result.count
        for place in stride(from: 0, to: entries.count, by: 2) {
            var text: [UInt8] = []
            // Keys may be parts of one text, each nearly as long as all of it.
            guard state.arena.mayHold(held) else { return .tooLarge }
            if let code = append(entries[place], to: &text, &state) { return code }
            held += text.count
            keys.append((text, entries[place + 1]))
        }
        keys.sort { left, right in
            // If this cost nothing, many long keys with the same beginning could be compared for hours.
            guard state.allowance.payForText(min(left.text.count, right.text.count)) else { return false }
            return left.text.withUnsafeBytes { first in
                right.text.withUnsafeBytes { ByteText.compare(first, $0) < 0 }
            }
        }
        result.append(UInt8(ascii: "{"))
        for (place, key) in keys.enumerated() {
            if place > 0 { result += ", ".utf8 }
            result += key.text + Array(": ".utf8)
            if let code = append(key.value, to: &result, &state) { return code }
        }
        result.append(UInt8(ascii: "}"))
        return nil
    }
}
