import JSONScan

/// Reads one JSON value (RFC 8259) into an evaluation's memory. A number is an `int` where it is whole and fits, then
/// a `uint`, else a `double`; of a key given twice the last value counts.
struct JSONReader {
    private let text: UnsafeRawBufferPointer
    private var position = 0
    private var depth = 0

    /// Lists and maps within each other, at most.
    private static let depthLimit = 100

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    /// The value, when the text holds just one.
    mutating func read(_ arena: inout Arena, _ allowance: inout Allowance) -> CallResult {
        guard allowance.pay(text.count) else { return .failure(.tooCostly) }
        guard let value = value(&arena, &allowance) else { return .failure(.invalidJSON) }
        skipBlanks()
        return position == text.count ? .success(value) : .failure(.invalidJSON)
    }

    private mutating func value(_ arena: inout Arena, _ allowance: inout Allowance) -> Value? {
        skipBlanks()
        guard position < text.count else { return nil }
        switch text[position] {
        case UInt8(ascii: "{"): return nested { reader in reader.object(&arena, &allowance) }
        case UInt8(ascii: "["): return nested { reader in reader.array(&arena, &allowance) }
        case UInt8(ascii: "\""): return string(&arena).map(Value.string)
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func nested(_ read: (inout JSONReader) -> Value?) -> Value? {
        guard depth < Self.depthLimit else { return nil }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return read(&self)
    }

    private mutating func array(_ arena: inout Arena, _ allowance: inout Allowance) -> Value? {
        var elements: [Value] = []
        if take("]") { return .list(arena.list(elements)) }
        repeat {
            guard let element = value(&arena, &allowance),
                arena.mayHold((elements.count + 1) * MemoryLayout<Value>.stride)
            else {
                return nil
            }
            elements.append(element)
        } while take(",")
        return take("]") ? .list(arena.list(elements)) : nil
    }

    private mutating func object(_ arena: inout Arena, _ allowance: inout Allowance) -> Value? {
        var entries: [Value] = []
        if !take("}") {
            repeat {
                skipBlanks()
                guard position < text.count, text[position] == UInt8(ascii: "\""), let key = string(&arena), take(":"),
                    let value = value(&arena, &allowance),
                    arena.mayHold((entries.count + 2) * MemoryLayout<Value>.stride)
                else { return nil }
                entries += [.string(key), value]
            } while take(",")
            guard take("}") else { return nil }
        }
        return .map(arena.list(MapEntries.ordered(entries, keepingLast: true, &allowance).entries))
    }

    /// A text without escapes stays where it is.
    private mutating func string(_ arena: inout Arena) -> UnsafeRawBufferPointer? {
        position += 1
        let start = position
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                position += 1
                return UnsafeRawBufferPointer(rebasing: text[start..<position - 1])
            case UInt8(ascii: "\\"): return escaped(from: start, &arena)
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    private mutating func escaped(from start: Int, _ arena: inout Arena) -> UnsafeRawBufferPointer? {
        var content = Array(text[start..<position])
        while position < text.count {
            let byte = text[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return arena.mayHold(content.count) ? arena.text(content) : nil
            case UInt8(ascii: "\\"):
                guard let scalar = JSONEscapes.scalar(in: text, at: &position) else { return nil }
                content += String(Character(scalar)).utf8
            case 0..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    private mutating func number() -> Value? {
        let start = position
        while position < text.count, "+-.eE0123456789".utf8.contains(text[position]) { position += 1 }
        let digits = text[start..<position]
        // A number that would take more is no number that anything here can hold.
        guard (1...400).contains(digits.count), JSONNumber.isOne(UnsafeRawBufferPointer(rebasing: digits))
        else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        if let whole = Int64(text) { return .int(whole) }
        if let whole = UInt64(text) { return .uint(whole) }
        return Double(text).map(Value.double)
    }

    private mutating func word(_ word: StaticString, _ value: Value) -> Value? {
        let count = word.utf8CodeUnitCount
        guard text.count - position >= count,
            text[position..<position + count].elementsEqual(UnsafeRawBufferPointer(start: word.utf8Start, count: count))
        else { return nil }
        position += count
        return value
    }

    private mutating func take(_ symbol: Character) -> Bool {
        skipBlanks()
        guard position < text.count, text[position] == symbol.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while position < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[position]) { position += 1 }
    }
}
