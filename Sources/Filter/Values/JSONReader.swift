import JSONScan

/// Reads one JSON value (RFC 8259) into an evaluation's memory. A number is an `int` where it is whole and fits, then
/// a `uint`, else a `double`; if a key is given twice the last value counts.
struct JSONReader {
    private let text: UnsafeRawBufferPointer
    private var position = 0
    private var depth = 0
    /// Values of the lists and maps that are not complete yet.
    private var pending = 0

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
        let outer = pending
        defer {
            depth -= 1
            pending = outer
        }
        position += 1
        return read(&self)
    }

    private mutating func array(_ arena: inout Arena, _ allowance: inout Allowance) -> Value? {
        var elements: [Value] = []
        if take(UInt8(ascii: "]")) { return .list(arena.list(elements)) }
        repeat {
            guard let element = value(&arena, &allowance), hold(1, arena) else { return nil }
            elements.append(element)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .list(arena.list(elements)) : nil
    }

    private mutating func object(_ arena: inout Arena, _ allowance: inout Allowance) -> Value? {
        var entries: [Value] = []
        entries.reserveCapacity(8)
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipBlanks()
                guard position < text.count, text[position] == UInt8(ascii: "\""), let key = string(&arena),
                    take(UInt8(ascii: ":")), let value = value(&arena, &allowance), hold(2, arena)
                else { return nil }
                entries.append(.string(key))
                entries.append(value)
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { return nil }
        }
        if entries.count <= 2 * Self.few, Self.sort(&entries, &allowance) { return .map(arena.list(entries)) }
        return .map(arena.list(MapEntries.ordered(entries, keepingLast: true, &allowance).entries))
    }

    /// Whether so many more values may be held.
    private mutating func hold(_ count: Int, _ arena: borrowing Arena) -> Bool {
        pending += count
        return arena.mayHold(values: pending)
    }

    /// The largest number of members that are sorted in place.
    private static let few = 8

    /// Sorts a few members without further memory. False when a key is repeated.
    private static func sort(_ entries: inout [Value], _ allowance: inout Allowance) -> Bool {
        for end in stride(from: 2, to: entries.count, by: 2) {
            var place = end
            while place > 0 {
                guard let order = Comparison.order(entries[place - 2], entries[place], &allowance), order != 0 else {
                    return false
                }
                if order < 0 { break }
                entries.swapAt(place - 2, place)
                entries.swapAt(place - 1, place + 1)
                place -= 2
            }
        }
        return true
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
        if let small = smallNumber() { return .int(small) }
        while position < text.count, Self.isOfNumber(text[position]) { position += 1 }
        let digits = text[start..<position]
        // No longer number can be held by any type here.
        guard (1...400).contains(digits.count), JSONNumber.isOne(UnsafeRawBufferPointer(rebasing: digits))
        else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        if let whole = Int64(text) { return .int(whole) }
        if let whole = UInt64(text) { return .uint(whole) }
        return Double(text).map(Value.double)
    }

    /// A whole number of at most 18 digits without a sign, the most common kind; nil for any other, and then nothing
    /// is read.
    private mutating func smallNumber() -> Int64? {
        var number: Int64 = 0
        var end = position
        let limit = min(text.count, position + 19)
        while end < limit, case let digit = text[end] &- 0x30, digit < 10 {
            number = number &* 10 &+ Int64(digit)
            end += 1
        }
        let count = end - position
        guard (1...18).contains(count), count == 1 || text[position] != 0x30 else { return nil }
        if end < text.count, Self.isOfNumber(text[end]) { return nil }
        position = end
        return number
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func word(_ word: StaticString, _ value: Value) -> Value? {
        let count = word.utf8CodeUnitCount
        guard text.count - position >= count,
            text[position..<position + count].elementsEqual(UnsafeRawBufferPointer(start: word.utf8Start, count: count))
        else { return nil }
        position += count
        return value
    }

    private mutating func take(_ symbol: UInt8) -> Bool {
        skipBlanks()
        guard position < text.count, text[position] == symbol else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}
